/** What the clock calls for. */
import { errorName, log } from '../ledger/log.ts'

/** Duties by name, one after the other; one that fails keeps none of the others. Throws in the end if one did, so that the cron counts as failed. */
export async function doDuties(duties: Readonly<Record<string, () => Promise<unknown>>>): Promise<void> {
  const failed: string[] = []
  for (const [duty, run] of Object.entries(duties))
    try {
      await run()
    } catch (error) {
      log('cron.duty_failed', { duty, error: errorName(error) })
      failed.push(duty)
    }
  if (failed.length > 0) throw new Error(`Duties that failed: ${failed.join(', ')}`)
}
