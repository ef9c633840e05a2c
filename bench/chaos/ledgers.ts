/** The tenants' ledgers from the inside: their tables, and their end at any moment. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ledgerName } from '../../ledger/directory/tenants.ts'
import type { Workerd } from '../support/workerd.ts'
import type { Chance } from './chance.ts'

const SCRIPT = 'gateway'
const CLASS = 'TenantLedger'
const TRIES = 20
const PAUSE_MS = 100
/**
 * A ledger that comes back assumes that a tenth more of each limit is used than it knows of. Ten evictions of one ledger within a
 * minute would use its limits up, and all that is left to see would be waiting.
 */
const BETWEEN_EVICTIONS_MS = { low: 300, high: 1500 }

/** Rows of a query over a ledger's tables. */
export const inLedger = <T>({ miniflare }: Workerd, tenantId: string, sql: string): Promise<T[]> =>
  persistently(async () => {
    const name = ledgerName(tenantId, 1)
    const storage = await miniflare.unsafeGetDurableObjectStorage(SCRIPT, CLASS, { name })
    return (await storage.exec(sql)) as T[]
  })

/** A ledger that is evicted meanwhile is asked again, and a runtime that closed the connection just then. */
async function persistently<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await act()
    } catch (error) {
      if (tries === TRIES) throw error
      await sleep(PAUSE_MS)
    }
  }
}

/** Evicts ledgers until it is stopped; answers how many times. */
export async function evictAtRandom(
  { miniflare }: Workerd,
  tenantIds: readonly string[],
  chance: Chance,
  stop: AbortSignal,
): Promise<number> {
  let evictions = 0
  while (!stop.aborted) {
    await sleep(chance.between(BETWEEN_EVICTIONS_MS.low, BETWEEN_EVICTIONS_MS.high))
    const name = ledgerName(chance.pick(tenantIds), 1)
    await miniflare.unsafeEvictDurableObject(SCRIPT, CLASS, { name }).then(
      () => evictions++,
      () => undefined,
    )
  }
  return evictions
}

/** Removes the object of a tenant's file from R2, as nothing of ours would. */
export async function loseFile(workerd: Workerd, tenantId: string, fileId: string): Promise<void> {
  const [file] = await inLedger<{ ref: string }>(
    workerd,
    tenantId,
    `select ref from files where id = '${fileId}'`,
  )
  const content = await workerd.miniflare.getR2Bucket('CONTENT', 'gateway')
  if (file) await persistently(() => content.delete(file.ref))
}
