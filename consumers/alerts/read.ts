/** Reads how the service stands, each part by itself: one that cannot be read is told of, and leaves the others. */
import type { Reading } from '../../ledger/alerts/reading.ts'
import { openDirectory } from '../../ledger/directory/open.ts'
import { longestSilent, oldestOpenLetter, sumFigures } from '../../ledger/directory/service-figures.ts'
import { errorName, log } from '../../ledger/log.ts'

export async function readService(env: ConsumersEnv): Promise<Reading> {
  const directory = openDirectory(env.DIRECTORY)
  const [figures, letters, ledgers, queues] = await Promise.all([
    orNull('figures', () => sumFigures(directory)),
    orNull('letters', async () => ({ oldestOpenAt: await oldestOpenLetter(directory) })),
    orNull('ledgers', async () => ({ silentSince: await longestSilent(directory) })),
    orNull('queues', () => Promise.all(queuesOf(env).map(backlogOf))),
  ])
  return { figures, letters, ledgers, queues }
}

async function orNull<T>(part: keyof Reading, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    log('alerts.part_unreadable', { part, error: errorName(error) })
    return null
  }
}

const queuesOf = (env: ConsumersEnv): [string, Queue][] => [
  ['jobs', env.JOBS],
  ['jobs-bulk', env.JOBS_BULK],
  ['jobs-slow', env.JOBS_SLOW],
  ['jobs-solo', env.JOBS_SOLO],
  ['batches', env.BATCHES],
  ['callbacks', env.CALLBACKS],
]

async function backlogOf([queue, binding]: [string, Queue]) {
  const { backlogCount, oldestMessageTimestamp } = await binding.metrics()
  const oldestAt = backlogCount > 0 ? (oldestMessageTimestamp?.getTime() ?? null) : null
  return { queue, oldestAt }
}
