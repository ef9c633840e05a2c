/** What one job costs its ledger from acceptance to the second webhook: SQL rows written, and calls. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Costs } from '../../ledger/store.ts'
import type { Caller } from '../support/gateway.ts'
import { type Meter, quiet } from '../support/meter.ts'
import { startReceiver } from '../support/receiver.ts'
import { job } from './job.ts'

const JOBS = 20
const EVENTS = 2
const DELIVERY_TIMEOUT_MS = 20_000

/** Averages over jobs that run alone, one after another; what the alarm does afterwards, within `tailMs`, is counted too. */
export async function costOfOneJob(tenant: Caller, meter: Meter, tailMs: number) {
  const receiver = await startReceiver()
  try {
    await tenant.post('/v1/webhook_endpoints', { url: receiver.url })
    const before = await quiet(meter)
    for (let done = 0; done < JOBS; done++) {
      const { id } = await tenant.post<{ id: string }>('/v1/jobs', job)
      await receiver.waitFor(id, EVENTS, DELIVERY_TIMEOUT_MS)
      await quiet(meter)
    }
    await sleep(tailMs)
    return perJob(before, await meter())
  } finally {
    receiver.stop()
  }
}

function perJob(before: Costs, after: Costs): { rows: number; calls: number } {
  if (after.calls <= before.calls)
    throw new Error('The ledger was started anew while its costs were counted.')
  return {
    rows: (after.rowsWritten - before.rowsWritten) / JOBS,
    calls: (after.calls - before.calls) / JOBS,
  }
}
