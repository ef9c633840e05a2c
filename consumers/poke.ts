/** The minute's cron: wakes ledgers that have work open and have gone quiet, whatever became of their alarms. */
import { openDirectory } from '../ledger/directory/open.ts'
import { silentLedgers } from '../ledger/directory/roll-ups.ts'
import { errorName, log } from '../ledger/log.ts'
import { fewAtOnce } from './few-at-once.ts'

const SILENT_MS = 5 * 60_000
/** Poked at once; each is one call. */
const PAGE = 100

export async function pokeSilentLedgers({ DIRECTORY, LEDGERS }: ConsumersEnv, now: number): Promise<void> {
  const names = await silentLedgers(openDirectory(DIRECTORY), now - SILENT_MS, PAGE)
  await fewAtOnce(names, (name) => poke(LEDGERS, name))
}

/** One ledger that fails must not keep the others asleep. */
async function poke(ledgers: ConsumersEnv['LEDGERS'], name: string): Promise<void> {
  try {
    await ledgers.getByName(name).poke()
    log('ledger.poked', { ledger: name })
  } catch (error) {
    log('ledger.poke_failed', { ledger: name, error: errorName(error) })
  }
}
