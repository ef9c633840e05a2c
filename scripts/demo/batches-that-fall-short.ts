/** Batches that do not come to what was hoped: one fails in part and is rerun, one is never answered and is cancelled. */
import type { Batch, Gateway } from '../../sdk/src/index.ts'
import { articles, endedBatch, resultsOf, shown } from './batch-customer.ts'
import { claim, eventually, refusal } from './claim.ts'
import { got, note, sent, step, why } from './narrator.ts'
import type { Receiver } from './receiver.ts'

const work = (model: string, items: ReturnType<typeof articles>) => ({
  kind: 'summarize' as const,
  model,
  params: { max_words: 16 },
  items,
})

const referencesOf = (lines: readonly { external_reference: string }[]) =>
  lines.map((line) => line.external_reference).join(', ')

export async function failInPart(acme: Gateway): Promise<Batch> {
  step('A batch of which a part fails')
  sent('POST /v1/batches    eight articles in the body, model test/batch-partial: every fourth is refused')
  const batch = await acme.batches.create(work('test/batch-partial', articles(1, 8)))
  got(`202  ${batch.id}, ${batch.status}`)
  const end = await endedBatch(acme, batch)
  claim(end.status === 'partially_failed' && end.counts.failed === 2, 'two of the eight fail')
  const results = await resultsOf(acme, end)
  const failed = results.filter(({ status }) => status === 'failed')
  claim(results.length === 8, 'failures are in the results, too')
  claim(referencesOf(failed) === 'article-04, article-08', 'the fourth and the eighth failed')
  got(`${end.status}: ${shown(end.counts)}`)
  note(`${referencesOf(failed)}: ${failed[0]?.error?.class}. ${failed[0]?.error?.message}`)
  return end
}

export async function rerun(acme: Gateway, parent: Batch): Promise<void> {
  step('Those again, and no others')
  sent(`POST /v1/batches/${parent.id}/rerun    {"mode":"incomplete_only"}`)
  const batch = await acme.batches.rerun(parent, { mode: 'incomplete_only' })
  claim(batch.parent_batch_id === parent.id, 'the new batch names the old one')
  got(`202  ${batch.id}, parent_batch_id ${batch.parent_batch_id}`)
  const end = await endedBatch(acme, batch)
  claim(end.status === 'completed' && end.counts.total === 2, 'both succeed this time')
  const results = await resultsOf(acme, end)
  claim(referencesOf(results) === 'article-04, article-08', 'they come under their references')
  got(`${end.status}: ${referencesOf(results)}`)
  note('(The model refuses every fourth, and now they were the first and the second.)')
  why('What succeeded is neither run nor paid for again, and its results stay where they are.')
}

export async function cancel(acme: Gateway, receiver: Receiver): Promise<void> {
  step('A batch that its provider never answers')
  const order = work('test/batch-stuck', articles(1, 5))
  sent('POST /v1/batches    five articles, model test/batch-stuck')
  const batch = await acme.batches.create(order)
  await eventually('the batch waits', 20, async () =>
    (await acme.batches.get(batch)).status_reason === 'waiting_for_provider' ? true : null,
  )
  got(`202  ${batch.id}, soon waiting_for_provider`)
  sent('POST /v1/batches    the same again under another key')
  const { slug, problem } = await refusal(409, acme.batches.create(order))
  claim(slug === 'duplicate-items', 'items that are open already are refused')
  got(`409  ${problem.title}`)
  await readReceipt(acme, batch, receiver)
}

async function readReceipt(acme: Gateway, batch: Batch, receiver: Receiver): Promise<void> {
  sent(`POST /v1/batches/${batch.id}/cancel`)
  const { batch: end, stopped, already_finished, charged_usd } = await acme.batches.cancel(batch)
  claim(end.status === 'cancelled' && end.counts.cancelled === 5, 'the batch is cancelled')
  claim(stopped === 5 && already_finished === 0, 'the receipt says what was stopped')
  got(`200  ${stopped} stopped, ${already_finished} already finished, ${charged_usd} USD charged`)
  await receiver.delivered('batch.cancelled', batch.id)
  note('And the webhook batch.cancelled. What had finished would have been kept.')
  why('It would have waited until its deadline; operators see after a while that it stalls.')
}
