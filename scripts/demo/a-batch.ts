/** A batch out of a file: what it would cost, handing it over, and what is on record before any of it is sent. */
import { type Batch, type BatchRequest, type Gateway, ProblemError } from '../../sdk/src/index.ts'
import { articles, referenceOf, sendBatch } from './batch-customer.ts'
import { claim, eventually } from './claim.ts'
import { got, note, sent, step, why } from './narrator.ts'

export const ARTICLES = 30
/** The declaration has no such article. */
export const BAD = { line: ARTICLES + 1, reference: referenceOf(ARTICLES + 1) }

export async function upload(acme: Gateway): Promise<BatchRequest> {
  step('Many at once: a file of items')
  const items = [...articles(1, ARTICLES), { external_reference: BAD.reference, input: { text: ' ' } }]
  const text = items.map((item) => `${JSON.stringify(item)}\n`).join('')
  sent(`POST /v1/files    application/x-ndjson, ${items.length} lines: an article of the declaration each,`)
  note('and on the last line, by mistake, one more that has no text')
  const { id, bytes } = await acme.files.upload(text, { contentType: 'application/x-ndjson' })
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

export async function estimate(acme: Gateway, order: BatchRequest): Promise<number> {
  step('What it would come to, before it is sent')
  sent(`POST /v1/batches/estimate    ${JSON.stringify(order)}`)
  const { items, chunks, errors, ...told } = await acme.batches.estimate(order)
  const [bad] = errors
  claim(told.would_be_accepted && items === ARTICLES, `${ARTICLES} items would run`)
  claim(told.error_count === 1 && bad?.line === BAD.line, 'the bad line is named')
  claim(bad.external_reference === BAD.reference, 'and so is its reference')
  got(`200  ${items} items in ${chunks.length} chunk, at most ${told.estimated_cost_usd} USD`)
  note(`Line ${bad.line} (${bad.external_reference}) is none. ${bad.detail}`)
  why('Nothing has been stored. With on_invalid "fail" nothing would run while one line is wrong.')
  return told.estimated_cost_usd
}

export async function handOver(acme: Gateway, order: BatchRequest): Promise<Batch> {
  step('Handing over the batch')
  const key = crypto.randomUUID()
  sent(`POST /v1/batches    the same body, Idempotency-Key: ${key}`)
  const { data, response } = await sendBatch(acme, order, key)
  const batch = { ...data, kind: order.kind }
  claim(response.headers.get('location') === batch.status_url, 'Location is the status URL')
  got(`202  ${batch.id}, ${batch.status}`)
  sent('POST /v1/batches    the same request with the same key')
  const replay = await sendBatch(acme, order, key)
  claim(replay.data.id === batch.id, 'the replay answers with the same batch')
  claim(replay.response.headers.get('idempotency-replayed') === 'true', 'the replay says that it is one')
  got('202  the same batch, Idempotency-Replayed: true')
  return batch
}

export async function readManifest(acme: Gateway, batch: Batch): Promise<void> {
  step('Its manifest')
  sent(`GET  /v1/batches/${batch.id}/manifest    once the file has been read`)
  const manifest = await eventually('the manifest is ready', 20, () =>
    acme.batches.manifest(batch, { limit: 100 }).catch((error: unknown) => {
      if (error instanceof ProblemError && error.slug === 'manifest-not-ready') return null
      throw error
    }),
  )
  const [first] = manifest.items
  claim(manifest.item_count === ARTICLES && manifest.items.length === ARTICLES, 'it holds every item')
  claim(new Set(manifest.items.map(({ item_key }) => item_key)).size === ARTICLES, 'each under a key')
  got(`200  ${manifest.item_count} items in ${manifest.chunks.length} chunk, by ${manifest.created_by}`)
  note(`${first?.external_reference}: key ${first?.item_key}, input ${first?.input_sha256.slice(0, 16)}…`)
  why('What is to be done is on record before any of it is sent, so nothing can be lost or doubled unseen.')
}
