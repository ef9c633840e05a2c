/** A batch out of a file: what it would cost, handing it over, and what is on record before any of it is sent. */
import { BatchEstimate, BatchManifest } from '../../openapi/batch-contents.ts'
import { Batch } from '../../openapi/batches.ts'
import type { Api } from '../support/api.ts'
import { articles, referenceOf, sendBatch } from './batch-customer.ts'
import { claim, claimStatus, eventually } from './claim.ts'
import { got, note, sent, step, why } from './narrator.ts'

export const ARTICLES = 30
/** The declaration has no such article. */
export const BAD = { line: ARTICLES + 1, reference: referenceOf(ARTICLES + 1) }

export async function upload(acme: Api): Promise<object> {
  step('Many at once: a file of items')
  const items = [...articles(1, ARTICLES), { external_reference: BAD.reference, input: { text: ' ' } }]
  const text = items.map((item) => `${JSON.stringify(item)}\n`).join('')
  sent(`POST /v1/files    application/x-ndjson, ${items.length} lines: an article of the declaration each,`)
  note('and on the last line, by mistake, one more that has no text')
  const answer = await acme('POST', '/v1/files', {
    text,
    headers: { 'Content-Type': 'application/x-ndjson' },
  })
  claimStatus(answer, 201)
  const { id, bytes } = answer.body as { id: string; bytes: number }
  claim(bytes === Buffer.byteLength(text), 'every byte has arrived')
  got(`201  ${id}, ${bytes} bytes`)
  // At a cent an item, so that there is a price to see.
  return {
    kind: 'summarize',
    model: 'test/priced',
    items_file_id: id,
    params: { max_words: 16 },
    on_invalid: 'skip',
  }
}

export async function estimate(acme: Api, order: object): Promise<number> {
  step('What it would come to, before it is sent')
  sent(`POST /v1/batches/estimate    ${JSON.stringify(order)}`)
  const answer = await acme('POST', '/v1/batches/estimate', { body: order })
  claimStatus(answer, 200)
  const { items, chunks, errors, ...told } = BatchEstimate.parse(answer.body)
  const [bad] = errors
  claim(told.would_be_accepted && items === ARTICLES, `${ARTICLES} items would run`)
  claim(told.error_count === 1 && bad?.line === BAD.line, 'the bad line is named')
  claim(bad.external_reference === BAD.reference, 'and so is its reference')
  got(`200  ${items} items in ${chunks.length} chunk, at most ${told.estimated_cost_usd} USD`)
  note(`Line ${bad.line} (${bad.external_reference}) is none. ${bad.detail}`)
  why('Nothing has been stored. With on_invalid "fail" nothing would run while one line is wrong.')
  return told.estimated_cost_usd
}

export async function handOver(acme: Api, order: object): Promise<Batch> {
  step('Handing over the batch')
  const key = crypto.randomUUID()
  sent(`POST /v1/batches    the same body, Idempotency-Key: ${key}`)
  const answer = await sendBatch(acme, order, key)
  claimStatus(answer, 202)
  const batch = Batch.parse(answer.body)
  claim(answer.headers.get('location') === batch.status_url, 'Location is the status URL')
  got(`202  ${batch.id}, ${batch.status}`)
  sent('POST /v1/batches    the same request with the same key')
  const replay = await sendBatch(acme, order, key)
  claimStatus(replay, 202)
  claim(Batch.parse(replay.body).id === batch.id, 'the replay answers with the same batch')
  claim(replay.headers.get('idempotency-replayed') === 'true', 'the replay says that it is one')
  got('202  the same batch, Idempotency-Replayed: true')
  return batch
}

export async function readManifest(acme: Api, batch: Batch): Promise<void> {
  step('Its manifest')
  sent(`GET  /v1/batches/${batch.id}/manifest    once the file has been read`)
  const manifest = await eventually('the manifest is ready', 20, async () => {
    const answer = await acme('GET', `${batch.status_url}/manifest?limit=100`)
    if (answer.status === 409) return null
    claimStatus(answer, 200)
    return BatchManifest.parse(answer.body)
  })
  const [first] = manifest.items
  claim(manifest.item_count === ARTICLES && manifest.items.length === ARTICLES, 'it holds every item')
  claim(new Set(manifest.items.map(({ item_key }) => item_key)).size === ARTICLES, 'each under a key')
  got(`200  ${manifest.item_count} items in ${manifest.chunks.length} chunk, by ${manifest.created_by}`)
  note(`${first?.external_reference}: key ${first?.item_key}, input ${first?.input_sha256.slice(0, 16)}…`)
  why('What is to be done is on record before any of it is sent, so nothing can be lost or doubled unseen.')
}
