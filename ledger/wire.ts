/** How values look on the wire: times, money, URLs. One place, used by events and by the gateway's views. */

/** RFC 3339, UTC, milliseconds. */
export const timestamp = (at: number) => new Date(at).toISOString()
export const nullableTimestamp = (at: number | null) => (at === null ? null : timestamp(at))
/** A time that a query may name, with any offset. */
export const moment = (text: string | undefined) => (text === undefined ? null : Date.parse(text))

/** Integer micro-USD as USD with at most 6 decimals. */
export const usd = (microUsd: number) => microUsd / 1_000_000
/** USD as integer micro-USD; rounded, since a binary fraction may fall just short of what was written. */
export const microUsd = (usd: number) => Math.round(usd * 1_000_000)

export const jobUrls = (baseUrl: string, id: string) => ({
  status_url: `${baseUrl}/v1/jobs/${id}`,
  result_url: `${baseUrl}/v1/jobs/${id}/result`,
})

export const batchUrls = (baseUrl: string, id: string) => ({
  status_url: `${baseUrl}/v1/batches/${id}`,
  results_url: `${baseUrl}/v1/batches/${id}/results`,
})
