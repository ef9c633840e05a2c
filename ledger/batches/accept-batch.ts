/** Accepting a batch: key, state checks, then the batch and, where its items came inline, its plan, in one transaction. */
import type { LedgerContext } from '../context.ts'
import { holdFiles } from '../file-inputs.ts'
import { type FileRow, findFile } from '../files.ts'
import { answeredBefore, once } from '../idempotency.ts'
import { timeOf } from '../ids.ts'
import { done, type Outcome, refused } from '../replies.ts'
import { type Duplicate, findDuplicates, type Keyed, openIn } from './duplicates.ts'
import { type NewBatch, openBatch } from './open-batch.ts'
import type { BatchPlan, BatchRequest } from './plan.ts'
import { batchRefusals, estimateOf } from './refusals.ts'
import type { AcceptedBatch, BatchSnapshot } from './snapshots.ts'

/** What a batch that would not be accepted now is answered with: a replay or a refusal. Null for one that would be; nothing is written. */
export function answeredBatch(ctx: LedgerContext, request: BatchRequest): Outcome<AcceptedBatch> | null {
  const before = answeredBefore<BatchSnapshot>(ctx.db, request.call)
  if (!before.ok) return before
  if (before.value) return done({ batch: before.value.value, replayed: before.value.replayed })
  return whyNot(ctx, request)
}

export function acceptBatch(ctx: LedgerContext, request: BatchRequest): Outcome<AcceptedBatch> {
  const outcome = once(ctx, request.call, () => {
    const refusal = whyNot(ctx, request)
    return refusal ?? done(open(ctx, request))
  })
  return outcome.ok ? done({ batch: outcome.value.value, replayed: outcome.value.replayed }) : outcome
}

function open(ctx: LedgerContext, request: BatchRequest): BatchSnapshot {
  const batch = openBatch(ctx, rowFor(ctx, request), planOf(request))
  if (request.source.kind === 'inline') holdFiles(ctx.db, batch.id, request.source.fileIds)
  return batch
}

const planOf = ({ source }: BatchRequest): BatchPlan | null => (source.kind === 'inline' ? source.plan : null)

function whyNot(ctx: LedgerContext, request: BatchRequest) {
  const plan = planOf(request)
  const estimateMicroUsd = plan ? estimateOf(plan) : 0
  const [refusal] = batchRefusals(ctx, { ...request, estimateMicroUsd })
  return sourceRefusal(ctx, request) ?? refusal ?? (plan && duplicatesRefusal(ctx, request, keysOf(plan)))
}

const keysOf = ({ manifest }: BatchPlan) => manifest.map(({ key }) => key)

/** Files of inline items were looked at when these were planned. */
function sourceRefusal(ctx: LedgerContext, { source }: BatchRequest) {
  if (source.kind === 'inline') return null
  const file = itemsFile(ctx, source.fileId)
  return file.ok ? null : file
}

/** The file that items are to be read from. */
export function itemsFile(ctx: LedgerContext, fileId: string): Outcome<FileRow> {
  const file = findFile(ctx, fileId)
  const detail = file ? faultOf(file) : 'There is no such file.'
  if (file && detail === null) return done(file)
  const errors = [{ pointer: '/items_file_id', detail: detail ?? '' }]
  return refused('invalid-request', 'The file cannot be used.', { errors })
}

const faultOf = ({ contentType }: FileRow) =>
  contentType.startsWith('application/x-ndjson')
    ? null
    : `Items are read from application/x-ndjson, and this file is ${contentType}.`

export function duplicatesRefusal(
  ctx: LedgerContext,
  request: Keyed & Pick<BatchRequest, 'onDuplicate'>,
  keys: readonly string[],
) {
  if (request.onDuplicate === 'run') return null
  const found = findDuplicates(ctx, request, keys)
  if (found.length === 0) return null
  return refused('duplicate-items', duplicatesDetail, { errors: found.map(errorOf) })
}

const duplicatesDetail =
  'Wait for the batches that `errors` names, or cancel them; `on_duplicate: "run"` runs the items once more.'

const errorOf = (duplicate: Duplicate) => ({
  pointer: `/items/${duplicate.index}/external_reference`,
  detail: openIn(duplicate),
})

/** The time in the ID is the time of acceptance, as with jobs. */
function rowFor(ctx: LedgerContext, request: BatchRequest): NewBatch {
  const { call, source, deadlineSeconds, ...fields } = request
  const deadlineAt = timeOf(call.id) + deadlineSeconds * 1000
  if (source.kind === 'inline') return { ...fields, id: call.id, deadlineAt, sourceRef: source.ref }
  const file = findFile(ctx, source.fileId)
  if (!file) throw new Error('The file was there a moment ago.')
  return { ...fields, id: call.id, deadlineAt, sourceRef: file.ref, itemsFileId: file.id }
}
