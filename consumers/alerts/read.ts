/** Reads how the service stands, each part by itself: one that cannot be read is told of, and leaves the others. */
import { figuresReading } from '../../ledger/alerts/figures-reading.ts'
import type { Reading } from '../../ledger/alerts/reading.ts'
import { deadLetterFigures } from '../../ledger/directory/dead-letter-figures.ts'
import { figureSums, oldestSnapshotAt } from '../../ledger/directory/figure-sums.ts'
import { openDirectory } from '../../ledger/directory/open.ts'
import { errorName, log } from '../../ledger/log.ts'
import { allQueues, queueStates } from '../../ledger/queue-states.ts'

export async function readService(env: ConsumersEnv): Promise<Reading> {
  const directory = openDirectory(env.DIRECTORY)
  const queues = orNull('queues', () => readQueues(env))
  const figures = await orNull('figures', async () => figuresReading(await figureSums(directory)))
  const letters = await orNull('letters', () => deadLetterFigures(directory))
  const ledgers = await orNull('ledgers', async () => ({ silentSince: await oldestSnapshotAt(directory) }))
  return {
    figures,
    letters: letters && { oldestOpenAt: letters.oldestOpenAt },
    ledgers,
    queues: await queues,
  }
}

async function orNull<T>(part: keyof Reading, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    log('alerts.part_unreadable', { part, error: errorName(error) })
    return null
  }
}

/** Of a queue that does not answer nobody can say whether it is behind. */
async function readQueues(env: ConsumersEnv): Promise<Reading['queues']> {
  const asked = allQueues(env)
  const states = await queueStates(asked, (ms) => scheduler.wait(ms))
  if (states.length < asked.length) throw new Error('Not every queue tells how full it is.')
  return states.map(({ queue, messages, oldestAt }) => ({ queue, oldestAt: messages > 0 ? oldestAt : null }))
}
