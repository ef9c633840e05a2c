/** The items of batches as customers send them: in the body, or a line each of an NDJSON file. */
import { z } from '@hono/zod-openapi'
import type { KindName } from '../catalog/kind.ts'
import { kindOf } from '../catalog/kinds.ts'
import { noted } from './enums.ts'
import { ConfidentialityInput } from './job-words.ts'
import { capitalised } from './jobs.ts'

const MAX_RETENTION_SECONDS = 2_592_000

export const ExternalReference = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,128}$/, {
    error: 'Must be 1 to 128 letters, digits and any of . _ : - without spaces.',
  })
  .meta({
    description: "The customer's own name for the item, unique in the batch. Put no personal data in it.",
    example: 'article-4711',
  })

/** Of the schema of a kind's items. */
export const itemName = (kind: KindName) => `${capitalised(kind)}BatchItem`

const itemOf = (kind: KindName) =>
  z
    .strictObject({
      external_reference: ExternalReference,
      input: kindOf(kind).input,
      confidentiality: noted(ConfidentialityInput, { description: "Default: the batch's." }).optional(),
      retention_seconds: z
        .int()
        .min(0)
        .max(MAX_RETENTION_SECONDS)
        .optional()
        .meta({ format: 'int32', description: "Default: the batch's." }),
    })
    .meta({ id: itemName(kind), description: `An item of a batch of the kind \`${kind}\`.` })

/** One for each kind: the compiler asks for a new one here. */
export const batchItems = {
  summarize: itemOf('summarize'),
  embed: itemOf('embed'),
  classify: itemOf('classify'),
  report: itemOf('report'),
  transcribe: itemOf('transcribe'),
} satisfies Record<KindName, z.ZodType>

export type BatchItemBody = z.output<ReturnType<typeof itemOf>>
