/** What ledgers have cost so far, asked through a Worker of the benchmarks alone: no customer and no operator can. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ledgerName } from '../../ledger/directory/tenants.ts'
import type { Costs } from '../../ledger/store.ts'
import type { WorkerSpec } from './workerd.ts'

const QUIET_MS = 200

export const meterSpec: WorkerSpec = {
  name: 'meter',
  configPath: join(import.meta.dirname, '../workers/meter/wrangler.toml'),
}

export type Meter = () => Promise<Costs>
export type MeterOf = (tenantId: string) => Meter

/** `url` is that of the meter's Worker. */
export const metersAt =
  (url: URL): MeterOf =>
  (tenantId) => {
    const asked = new URL(encodeURIComponent(ledgerName(tenantId, 1)), url)
    return async () => (await (await fetch(asked)).json()) as Costs
  }

/** The costs once calls have ended: a receiver has a webhook before the ledger has its attempt. */
export async function quiet(meter: Meter): Promise<Costs> {
  let [last, now] = [await meter(), await settled(meter)]
  while (now.calls !== last.calls) [last, now] = [now, await settled(meter)]
  return now
}

async function settled(meter: Meter): Promise<Costs> {
  await sleep(QUIET_MS)
  return meter()
}
