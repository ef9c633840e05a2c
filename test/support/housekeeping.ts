/** What a ledger does when it is time, brought about now. */
import { callLedger, inLedger } from './control.ts'
import type { Tenant } from './tenant.ts'
import { until } from './wait.ts'

export const DAY_MS = 86_400_000
export const HOUR_MS = 3_600_000

/** The note of what is due, once the ledger has made it, is due now. */
export const dueNow = async (acme: Tenant, note: 'housekeeping' | 'looseContent' | 'strayOutputs') => {
  await until(`there is a note of ${note}`, async () => {
    const [row] = await inLedger(acme.id, 'select value from meta where name = ?', note)
    return row
  })
  await inLedger(acme.id, "update meta set value = json_set(value, '$.at', 1) where name = ?", note)
  await callLedger(acme.id, 'poke')
}

export const untilGone = (what: string, read: () => Promise<unknown[]>) =>
  until(`${what} are gone`, async () => (await read()).length === 0)
