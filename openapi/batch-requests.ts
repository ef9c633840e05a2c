/** What customers ask for with batches: to run one, and to run one again. */
import { z } from '@hono/zod-openapi'
import type { KindName } from '../catalog/kind.ts'
import { kinds } from '../catalog/kinds.ts'
import { itemName } from './batch-items.ts'
import { closedEnum, noted } from './enums.ts'
import { capitalised, requestFields } from './jobs.ts'
import { allOf, someOf, where } from './members.ts'

export const MAX_INLINE_ITEMS = 1000

const OnInvalid = closedEnum(
  'BatchOnInvalid',
  ['fail', 'skip'],
  'What becomes of a file with lines that are no items: the batch fails before anything is sent, or they are left out. The report names each.',
)
const OnDeadline = closedEnum(
  'BatchOnDeadline',
  ['expire', 'run_individually'],
  'What becomes of items that have no result at the deadline: they expire, or run as single jobs, until twice the deadline.',
)
const OnDuplicate = closedEnum(
  'BatchOnDuplicate',
  ['refuse', 'run'],
  'What becomes of items that are open in another batch, with the same kind, reference, processing version and model.',
)
const RerunMode = closedEnum(
  'BatchRerunMode',
  ['incomplete_only', 'recompute_all'],
  '`incomplete_only` takes the items that failed, expired or were cancelled; `recompute_all` takes all, and needs another processing version or model.',
)

const fields = {
  ...requestFields,
  items_file_id: z.string().min(1).max(64).optional().meta({
    description:
      'An uploaded NDJSON file instead of `items`: one item a line of up to 1 MiB, up to 50,000 items.',
    example: 'file_01kb9k5s3w000p4d7g2j6m8q1v3x',
  }),
  on_invalid: noted(OnInvalid, { default: 'fail' }).optional(),
  on_deadline: noted(OnDeadline, { default: 'expire' }).optional(),
  on_duplicate: noted(OnDuplicate, { default: 'refuse' }).optional(),
}

/** Described here, and checked where items are planned: there all that is wrong with any of them is found at once. */
const itemsOf = (kind: KindName) =>
  z
    .array(z.unknown())
    .min(1)
    .max(MAX_INLINE_ITEMS)
    .meta({
      items: { $ref: `#/components/schemas/${itemName(kind)}` },
      description: 'The items, in the body; larger batches come as a file.',
    })

const requestOf = <K extends KindName, P extends z.ZodType>(kind: K, { params }: { params: P }) =>
  z
    .strictObject({
      kind: z.literal(kind),
      items: itemsOf(kind).optional(),
      params: params.optional(),
      ...fields,
    })
    .refine(({ items, items_file_id }) => items === undefined || items_file_id === undefined, {
      path: ['items_file_id'],
      error: 'Not together with items.',
    })
    .refine(({ items, items_file_id }) => items !== undefined || items_file_id !== undefined, {
      path: ['items'],
      error: 'Either items or items_file_id is required.',
    })
    .meta({
      id: `${capitalised(kind)}BatchRequest`,
      description: `A batch of the kind \`${kind}\`: exactly one of \`items\` and \`items_file_id\`.`,
      ...where({
        hold: [someOf('items', 'items_file_id')],
        fail: [allOf('items', 'items_file_id')],
      }),
    })

/** One member for each kind: the compiler asks for a new one here. */
const requests = {
  summarize: requestOf('summarize', kinds.summarize),
  embed: requestOf('embed', kinds.embed),
  classify: requestOf('classify', kinds.classify),
  report: requestOf('report', kinds.report),
  transcribe: requestOf('transcribe', kinds.transcribe),
} satisfies Record<KindName, z.ZodType>

export const BatchRequest = z
  .discriminatedUnion('kind', [
    requests.summarize,
    requests.embed,
    requests.classify,
    requests.report,
    requests.transcribe,
  ])
  .meta({
    id: 'BatchRequest',
    description:
      'A batch to run; `kind` says what its items and parameters are. Exactly one of `items` and `items_file_id`.',
  })
export type BatchRequest = z.infer<typeof BatchRequest>

export const RerunRequest = z
  .strictObject({
    mode: RerunMode,
    processing_version: requestFields.processing_version.meta({
      default: undefined,
      description: "Default: the batch's.",
    }),
    model: requestFields.model.meta({ description: "Default: the batch's." }),
    params: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: "Parameters of the batch's kind; default: the batch's." }),
  })
  .meta({ id: 'BatchRerunRequest', description: 'Which items run again, and what is different this time.' })
export type RerunRequest = z.infer<typeof RerunRequest>
