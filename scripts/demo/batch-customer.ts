/** What a customer does with batches: submit, wait, read the results. */
import {
  type Batch,
  type BatchRequest,
  type BatchResult,
  type Gateway,
  operations,
} from '../../sdk/src/index.ts'
import { readDeclaration } from '../support/declaration.ts'

/** With the headers of the answer. */
export const sendBatch = (acme: Gateway, body: BatchRequest, key: string) =>
  operations.createBatch({ client: acme.client, body, headers: { 'Idempotency-Key': key } })

/** The batch once it has ended. */
export const endedBatch = (acme: Gateway, batch: Batch): Promise<Batch> =>
  acme.batches.wait(batch, { timeoutMs: 60_000 })

/** A line for each item, in the order in which they come. */
export async function resultsOf(acme: Gateway, batch: Batch): Promise<BatchResult<'summarize'>[]> {
  const lines: BatchResult<'summarize'>[] = []
  for await (const line of acme.batches.results<'summarize'>(batch.id)) lines.push(line)
  return lines
}

/** Those that there are any of. */
export const shown = (counts: Batch['counts']) =>
  Object.entries(counts)
    .flatMap(([name, count]) => (count > 0 ? [`${name} ${count}`] : []))
    .join(', ')

const english = readDeclaration('eng')

export const referenceOf = (article: number) => `article-${String(article).padStart(2, '0')}`

/** Articles of the declaration, each an item of its own. */
export const articles = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    external_reference: referenceOf(first + at),
    input: { text: english.article(first + at) },
  }))
