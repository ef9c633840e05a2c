/** Pauses of the intake, as operators order and see them. */
import { z } from '@hono/zod-openapi'
import { pageOf, Timestamp } from './common.ts'
import { closedEnum, openEnum, orNull } from './enums.ts'
import { Kind, KindFilter } from './job-words.ts'
import { Reason } from './ops.ts'
import { TenantId } from './tenant-words.ts'

const acceptedWork = ['hold', 'run'] as const
export type AcceptedWork = (typeof acceptedWork)[number]

const AcceptedWorkInput = closedEnum(
  'AcceptedWorkInput',
  acceptedWork,
  'What becomes of work that was accepted before: with `hold` it does not start either, with `run` it drains.',
)
const AcceptedWorkShown = openEnum(
  'AcceptedWork',
  acceptedWork,
  'What becomes of work that was accepted before: with `hold` it does not start either, with `run` it drains.',
)

const scope = {
  tenant_id: TenantId.optional().meta({ description: 'Left out, all tenants.' }),
  kind: KindFilter.optional(),
  model: z.string().optional().meta({
    description: 'The ID of a model. Left out, all of them.',
    example: 'openai/gpt-4o-mini',
  }),
}

export const IntakePauseRequest = z
  .strictObject({ ...scope, accepted_work: AcceptedWorkInput.optional(), reason: Reason })
  .meta({
    id: 'IntakePauseRequest',
    description: 'Which work is not to be taken in: that of all that is named. With nothing named, all work.',
  })
export type IntakePauseRequest = z.infer<typeof IntakePauseRequest>

export const IntakeResumption = z
  .strictObject({ ...scope, reason: Reason })
  .meta({ id: 'IntakeResumption', description: 'The scope of a pause, as it was ordered.' })
export type IntakeResumption = z.infer<typeof IntakeResumption>

const scopeShown = {
  tenant_id: z.string().nullable().meta({ description: 'Null for all tenants.' }),
  kind: orNull(Kind).meta({ description: 'Null for all kinds.' }),
  model: z.string().nullable().meta({ description: 'Null for all models.' }),
}

export const IntakePause = z
  .object({
    object: z.literal('intake_pause'),
    ...scopeShown,
    accepted_work: AcceptedWorkShown,
    operator: z.string().meta({ description: 'The client that ordered it.' }),
    reason: z.string(),
    at: Timestamp,
  })
  .meta({ id: 'IntakePause', description: 'A pause that is in force.' })
export type IntakePause = z.infer<typeof IntakePause>

export const IntakePausePage = pageOf('IntakePausePage', IntakePause)

export const Intake = z
  .object({
    object: z.literal('intake'),
    ...scopeShown,
    pauses: z.array(IntakePause).meta({
      description: 'What is in force for any work of this scope, pauses that reach further included.',
    }),
  })
  .meta({ id: 'Intake', description: 'How the intake stands for a scope.' })
export type Intake = z.infer<typeof Intake>
