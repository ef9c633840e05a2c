/** What a spec may do that no customer can: through the control server beside the Workers. */
import { inject } from 'vitest'
import type { rawQueues } from './stack.ts'

async function control<T>(action: string, body: object): Promise<T> {
  const { controlUrl } = inject('stack')
  const response = await fetch(`${controlUrl}/${action}`, { method: 'POST', body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${action}: ${await response.text()}`)
  return (await response.json()) as T
}

export const ledgerOf = (tenantId: string) => `${tenantId}:1:0`

/** Ends the ledger's object; what it held in memory is gone. */
export const evict = (tenantId: string) => control<null>('evict', { ledger: ledgerOf(tenantId) })

/** Rows of a query over a ledger's own tables. */
export const inLedger = <T>(tenantId: string, sql: string, ...values: (string | number)[]) =>
  control<T[]>('query', { ledger: ledgerOf(tenantId), sql, values })

/** Rows of a query over the directory. */
export const inDirectory = <T>(sql: string, ...values: (string | number)[]) =>
  control<T[]>('directory', { sql, values })

/** Puts a raw message on a queue. */
export const send = (
  queue: (typeof rawQueues)[number],
  body: unknown,
  contentType: 'json' | 'text' = 'json',
) => control<null>('send', { queue, body, contentType })

/** A call to a ledger's method, as the consumers make it. */
export const callLedger = <T>(tenantId: string, method: string, ...args: unknown[]) =>
  control<T>('call', { ledger: ledgerOf(tenantId), method, args })

/** How a Workflow instance stands; null where there is none. */
export const instanceStatus = (id: string) =>
  control<string | null>('instance', { id, what: 'status', after: 0 })

/** Stops a Workflow instance when it has done so many steps; `lose`: as if it had never been. Answers how it stood. */
export const stopInstance = (id: string, what: 'pause' | 'terminate' | 'lose', after: number) =>
  control<string | null>('instance', { id, what, after })

/** All log lines of the Workers so far. */
export const logs = () => control<string[]>('logs', {})

/** A minute passes: the cron of the consumers runs. */
export const tick = () => control<null>('tick', {})

/** Keys of objects in R2. */
export const contentUnder = (prefix: string) => control<string[]>('content', { prefix })

/** Of a tenant's. */
export const contentOf = (tenantId: string) => contentUnder(`t/${tenantId}/`)

/** Puts an object into R2, as a Worker of ours would that then died. */
export const putContent = (key: string, text: string, customMetadata: Record<string, string> = {}) =>
  control<null>('put', { key, text, customMetadata })

/** An object of R2 is lost, behind everybody's back. */
export const loseContent = (key: string) => control<null>('lose', { key })

interface TakenBatch {
  readonly request_id: string
  readonly model: string
  readonly requests: Record<string, unknown>[]
  readonly polls: number
}

/** The batches that the stand-in for Workers AI took so far, of all tenants. */
export const batchesAtWorkersAi = () => control<TakenBatch[]>('ai', {})
