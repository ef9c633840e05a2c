/** What a batch out of a file came to: its webhooks, its counts, what was checked, and its results. */
import type { Batch, Gateway } from '../../sdk/src/index.ts'
import { ARTICLES, BAD } from './a-batch.ts'
import { articles, resultsOf, shown } from './batch-customer.ts'
import { claim } from './claim.ts'
import { seconds } from './customer.ts'
import { got, note, quote, sent, step, why } from './narrator.ts'
import type { Receiver } from './receiver.ts'

const SHOWN = 3

export async function readWebhooks(batch: Batch, receiver: Receiver): Promise<void> {
  step('Its webhooks')
  const accepted = await receiver.delivered('batch.accepted', batch.id)
  const available = await receiver.delivered('batch.result_available', batch.id)
  claim(receiver.refused === 0, 'every signature holds')
  claim(available.event.data.counts?.succeeded === ARTICLES, 'the webhook brings the counts')
  claim(available.event.data.results_url === batch.results_url, 'and says where the results are')
  for (const { type, data } of [accepted.event, available.event])
    got(`${type.padEnd(22)}  ${data.status.padEnd(16)}  sequence ${data.sequence}`)
  why('One when it is accepted and one when it ends, however many items it has; both signed as before.')
}

export async function readStatus(acme: Gateway, batch: Batch, price: number): Promise<Batch> {
  step('What became of it')
  sent(`GET  /v1/batches/${batch.id}`)
  const end = await acme.batches.get(batch)
  claim(end.status === 'partially_failed' && end.status_reason === 'invalid_items', 'a line was left out')
  claim(end.counts.total === ARTICLES && end.counts.succeeded === ARTICLES, 'every item succeeded')
  claim(end.usage?.cost_usd === price, `it cost ${price} USD, as estimated`)
  got(`200  ${end.status} (${end.status_reason}) after ${seconds(end.created_at, end.finished_at)} s`)
  note(`${shown(end.counts)}; ${price} USD, as estimated`)
  return end
}

export async function readReport(acme: Gateway, batch: Batch): Promise<void> {
  step('What was checked')
  sent(`GET  /v1/batches/${batch.id}/report`)
  const { checks, errors } = await acme.batches.report(batch)
  const failed = checks.filter(({ passed }) => !passed).map(({ name }) => name)
  claim(failed.join() === 'lines_valid', `all but lines_valid pass; these do not: ${failed}`)
  claim(errors.length === 1 && errors[0]?.external_reference === BAD.reference, 'the bad line is named')
  got(`200  ${checks.length} checks, of which one did not pass:`)
  for (const { name, passed } of checks) note(`${passed ? 'passed' : 'FAILED'}  ${name}`)
  note(`Line ${errors[0].line}, ${errors[0].external_reference}: ${errors[0].class}. ${errors[0].detail}`)
}

export async function readResults(acme: Gateway, batch: Batch): Promise<void> {
  step('Its results')
  sent(`GET  /v1/batches/${batch.id}/results    a line of JSON for each item`)
  const results = await resultsOf(acme, batch)
  const wanted = articles(1, ARTICLES).map(({ external_reference }) => external_reference)
  claim(results.map((line) => line.external_reference).join() === wanted.join(), 'they are in input order')
  claim(
    results.every(({ status }) => status === 'succeeded'),
    'all succeeded',
  )
  got(`200  ${results.length} lines, the first of them:`)
  for (const { external_reference, output } of results.slice(0, SHOWN))
    quote(`${external_reference}: ${output?.summary}`)
  why(
    'The provider answers in another order on purpose. Each result is matched by a key, never by its place.',
  )
}
