/** What travels on the queues: references, never content or secrets. Version 1. */
import { z } from '@hono/zod-openapi'
import { kindNames } from '../catalog/kind.ts'

export const MESSAGE_VERSION = 1

export const JobMessage = z.object({
  v: z.literal(MESSAGE_VERSION),
  tenant_id: z.string(),
  job_id: z.string(),
  kind: z.enum(kindNames),
  attempt: z.int().min(1),
  input_ref: z.string().nullable(),
})
export type JobMessage = z.infer<typeof JobMessage>

/** That a batch needs a Workflow, or that its Workflow needs to look again. */
export const BatchMessage = z.object({
  v: z.literal(MESSAGE_VERSION),
  tenant_id: z.string(),
  batch_id: z.string(),
})
export type BatchMessage = z.infer<typeof BatchMessage>

export const CallbackMessage = z.object({
  v: z.literal(MESSAGE_VERSION),
  tenant_id: z.string(),
  endpoint_id: z.string(),
})
export type CallbackMessage = z.infer<typeof CallbackMessage>

/** That an evaluation of a model is to be done, or to be gone on with. It is no tenant's. */
export const EvaluationMessage = z.object({ v: z.literal(MESSAGE_VERSION), evaluation_id: z.string() })
export type EvaluationMessage = z.infer<typeof EvaluationMessage>

/**
 * A message of a version, or about a kind of job, that this code does not know, but whose owner can be read: acknowledged, since the
 * ledger, or for an evaluation the cron, sends it again. A rolling deploy must not fail jobs.
 */
const Foreign = z
  .object({ v: z.int(), kind: z.string().optional() })
  .and(z.union([z.object({ tenant_id: z.string().min(1) }), z.object({ evaluation_id: z.string().min(1) })]))
  .refine(({ v, kind }) => v !== MESSAGE_VERSION || (kind !== undefined && !isKnown(kind)))

const isKnown = (kind: string) => (kindNames as readonly string[]).includes(kind)

export type Parsed<M> =
  | { kind: 'message'; message: M }
  | { kind: 'foreign'; version: number }
  | { kind: 'poison' }

export function parseMessage<M>(schema: z.ZodType<M>, body: unknown): Parsed<M> {
  const message = schema.safeParse(body)
  if (message.success) return { kind: 'message', message: message.data }
  const foreign = Foreign.safeParse(body)
  return foreign.success ? { kind: 'foreign', version: foreign.data.v } : { kind: 'poison' }
}
