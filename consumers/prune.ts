/** The minute's cron: what the directory has kept long enough goes, a bounded step at a time. */
import { deleteDeadLettersBefore } from '../ledger/directory/closing.ts'
import { openDirectory } from '../ledger/directory/open.ts'
import { errorName, log } from '../ledger/log.ts'

const DEAD_LETTERS_KEPT_MS = 365 * 24 * 3_600_000
/** Rows that one minute deletes at most. */
const STEP = 500

/** Dead letters are kept for a year; the audit log stays. A fault waits for the next minute. */
export async function pruneDeadLetters({ DIRECTORY }: ConsumersEnv, now: number): Promise<void> {
  try {
    const before = now - DEAD_LETTERS_KEPT_MS
    const deleted = await deleteDeadLettersBefore(openDirectory(DIRECTORY), before, STEP)
    if (deleted > 0) log('directory.dead_letters_pruned', { deleted })
  } catch (error) {
    log('directory.prune_failed', { error: errorName(error) })
  }
}
