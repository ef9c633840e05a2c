/** What must hold of batches whatever happened. Each names the cases in which it does not; pure. */
import { isBatchOver } from '../../ledger/batches/batch.ts'
import { CHAT_USAGE } from '../../test/support/openai-answers.ts'
import type { BatchEvidence, ChunkEnd } from './batch-evidence.ts'
import type { Evidence } from './evidence.ts'

const ENDS = ['batch.result_available', 'batch.failed', 'batch.expired', 'batch.cancelled']
const endTypes: Record<string, string> = {
  completed: 'batch.result_available',
  partially_failed: 'batch.result_available',
  failed: 'batch.failed',
  expired: 'batch.expired',
  cancelled: 'batch.cancelled',
}

/** Integer micro-USD for one answer of the stand-in for OpenAI. */
const ANSWER_MICRO_USD = 270
/** Of an item of `test/priced`. */
const PRICE_MICRO_USD = 10_000

type Invariant = (evidence: Evidence) => string[]

const ofBatches =
  (broken: (batch: BatchEvidence, evidence: Evidence) => string | false): Invariant =>
  (evidence) =>
    evidence.batches.flatMap((batch) => {
      const why = broken(batch, evidence)
      return why ? [`${batch.id} (${evidence.plan.id}, ${batch.model}, ${batch.status}): ${why}`] : []
    })

export const sumOf = (chunks: readonly ChunkEnd[], value: (chunk: ChunkEnd) => number) =>
  chunks.reduce((sum, chunk) => sum + value(chunk), 0)

const count = (text: string, character: string) => text.split(character).length - 1

/** By the character of each of its items. */
const countsOf = ({ chunks }: BatchEvidence) => {
  const all = chunks.map(({ statuses }) => statuses).join('')
  const [succeeded, failed] = [count(all, 's'), count(all, 'f')]
  const [cancelled, expired] = [count(all, 'c'), count(all, 'e')]
  return { total: all.length, pending: count(all, 'p'), succeeded, failed, cancelled, expired }
}

/** By name, as they are shown. */
export const batchInvariants: Record<string, Invariant> = {
  lost_batches: ({ customer, batches }) =>
    [...customer.batches.accepted.values()].flatMap(({ id }) =>
      batches.some((batch) => batch.id === id) ? [] : [`${id} was accepted and is not there`],
    ),

  batches_nobody_knows: ({ customer, batches }) => {
    const known = new Set(Array.from(customer.batches.accepted.values(), ({ id }) => id))
    return batches.filter(({ id }) => !known.has(id)).map(({ id }) => `${id} belongs to no answer`)
  },

  strange_answers_to_batches: ({ customer }) => customer.batches.tally.strange,

  batches_without_end: ofBatches(
    ({ status, due_at, finished_at, view }) =>
      (!isBatchOver(status) || due_at !== null || finished_at === null || !view.terminal) && 'has not ended',
  ),

  batch_items_without_end: ofBatches((batch) => {
    const { pending } = countsOf(batch)
    return pending > 0 && `${pending} items are pending`
  }),

  batch_counts_that_differ: ofBatches((batch) => {
    const ours = JSON.stringify(countsOf(batch))
    const theirs = JSON.stringify(batch.view.counts)
    const items = batch.manifest?.item_count ?? 0
    return (
      (ours !== theirs || batch.items !== items || countsOf(batch).total !== items) &&
      `${ours}, not ${theirs}`
    )
  }),

  batch_results_that_differ: ofBatches((batch) => {
    const { manifest, results } = batch
    if (!results) return batch.status !== 'discarded' && batch.items > 0 && 'it has no results'
    const names = manifest?.items.map(({ external_reference }) => external_reference) ?? []
    const inOrder = results.every(
      ({ index, external_reference }, at) => index === at && external_reference === names[at],
    )
    const { total: _, pending: __, ...ends } = countsOf(batch)
    const wrong = Object.entries(ends).filter(
      ([status, wanted]) => results.filter((line) => line.status === status).length !== wanted,
    )
    return (
      (!inOrder || results.length !== names.length || wrong.length > 0) &&
      `${results.length} results; ${wrong}`
    )
  }),

  batches_not_told_once: ofBatches(({ id, status }, { events }) => {
    const types = events.filter((event) => event.subject_id === id).map(({ type }) => type)
    const ends = types.filter((type) => ENDS.includes(type))
    const right = status === 'discarded' || ends[0] === endTypes[status]
    return (!right || ends.length !== 1 || types.length !== 2) && `it was told as ${types}`
  }),

  batch_webhooks_not_told_once: ofBatches(({ id }, { heard, events }) => {
    const [end] = events.filter((event) => event.subject_id === id && ENDS.includes(event.type))
    const told = [...heard(id)]
    return (told.length !== 1 || told[0] !== end?.id) && `its receiver heard of ${told.length} ends`
  }),

  batch_cancellations_undone: ofBatches(
    ({ id, status }, { customer }) =>
      customer.batches.tally.cancelled.has(id) &&
      !['cancelled', 'discarded'].includes(status) &&
      'was cancelled',
  ),

  batch_discards_undone: ofBatches(
    ({ id, status, results }, { customer }) =>
      customer.batches.tally.discarded.has(id) &&
      (status !== 'discarded' || results !== null) &&
      'was discarded',
  ),

  reruns_of_others: ofBatches(
    ({ id, parent_batch_id }, { customer }) =>
      (customer.batches.tally.reruns.get(id) ?? null) !== parent_batch_id && `it reruns ${parent_batch_id}`,
  ),

  batch_reservations_left: ofBatches(({ chunks }) => {
    const left = sumOf(chunks, (chunk) => chunk.reserved_micro_usd)
    return left !== 0 && `${left} are set aside`
  }),

  batch_effects_doubled: ofBatches(({ id, chunks }, { effects }) => {
    const made = [...effects].filter(([key]) => key.startsWith(`${id}-`))
    const tries = sumOf(chunks, (chunk) => chunk.tries)
    return (made.some(([, times]) => times > 1) || made.length > tries) && `the provider worked for ${made}`
  }),

  batch_costs_not_booked_once: ofBatches(({ model, chunks }) => {
    const wrong = chunks.filter((chunk) => !isBookedOnce(model, chunk))
    return (
      wrong.length > 0 &&
      `costs ${wrong.map((chunk) => `${chunk.cost_micro_usd} after ${chunk.tries} tries`)}`
    )
  }),
}

/**
 * By the price list, for each submission at most one answer for each item, or its estimate where nobody heard of one. What runs singly
 * is booked with each of its jobs.
 */
function isBookedOnce(model: string, chunk: ChunkEnd): boolean {
  const { cost_micro_usd: cost, estimate_micro_usd: estimate, tries, items, path } = chunk
  if (path === 'jobs') return true
  if (model === 'test/priced') return cost <= PRICE_MICRO_USD * items * tries
  if (!model.startsWith('openai/')) return cost === 0
  const answers = chunk.input_tokens / CHAT_USAGE.prompt_tokens
  const unknown = (cost - answers * ANSWER_MICRO_USD) / estimate
  return Number.isInteger(unknown) && unknown >= 0 && answers <= items * (tries - unknown)
}
