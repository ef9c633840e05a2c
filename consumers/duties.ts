/** What the clock calls for. */
import { errorName, log } from '../ledger/log.ts'

/** Duties by name, one after the other; one that fails keeps none of the others. */
export async function doDuties(duties: Readonly<Record<string, () => Promise<unknown>>>): Promise<void> {
  for (const [duty, run] of Object.entries(duties))
    try {
      await run()
    } catch (error) {
      log('cron.duty_failed', { duty, error: errorName(error) })
    }
}
