/** What a customer does with batches: submit, wait, read report and results. Answers are read through the API's own schemas. */
import { type AnyBatchResultLine, BatchReport, BatchResultLine } from '../../openapi/batch-contents.ts'
import { Batch, type BatchCounts } from '../../openapi/batches.ts'
import type { Answer, Api } from '../support/api.ts'
import { readDeclaration } from '../support/declaration.ts'
import { claimStatus, eventually } from './claim.ts'

export const sendBatch = (api: Api, body: object, key: string = crypto.randomUUID()): Promise<Answer> =>
  api('POST', '/v1/batches', { body, headers: { 'Idempotency-Key': key } })

export async function submitBatch(api: Api, body: object): Promise<Batch> {
  const answer = await sendBatch(api, body)
  claimStatus(answer, 202)
  return Batch.parse(answer.body)
}

export async function batchAt(api: Api, { status_url }: Batch): Promise<Batch> {
  const answer = await api('GET', status_url)
  claimStatus(answer, 200)
  return Batch.parse(answer.body)
}

/** The batch once it has ended. */
export const endedBatch = (api: Api, batch: Batch): Promise<Batch> =>
  eventually(`${batch.status_url} ends`, 60, async () => {
    const now = await batchAt(api, batch)
    return now.terminal ? now : null
  })

export async function reportOf(api: Api, { status_url }: Batch): Promise<BatchReport> {
  const answer = await api('GET', `${status_url}/report`)
  claimStatus(answer, 200)
  return BatchReport.parse(answer.body)
}

/** A line for each item, in the order in which they come. */
export async function resultsOf(api: Api, { results_url }: Batch): Promise<AnyBatchResultLine[]> {
  const answer = await api('GET', results_url)
  claimStatus(answer, 200)
  const lines = String(answer.body ?? '').split('\n')
  return lines.filter(Boolean).map((line) => BatchResultLine.parse(JSON.parse(line)))
}

/** Those that there are any of. */
export const shown = (counts: BatchCounts) =>
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
