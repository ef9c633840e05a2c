/** What a scrape is made of, read from the directory and the queues at the same time. */
import { type Configured, modelsFor } from '../../catalog/models.ts'
import { deadLetterFigures } from '../../ledger/directory/dead-letter-figures.ts'
import { figureSums, largestBacklogs, oldestSnapshotAt } from '../../ledger/directory/figure-sums.ts'
import { openDirectory } from '../../ledger/directory/open.ts'
import { allQueues, queueStates } from '../../ledger/queue-states.ts'
import type { Collected } from './families.ts'

/** Tenants that have figures of their own: a bound on the number of series. */
const TENANTS_SHOWN = 20

/** A directory that is down fails the scrape; a queue that does not answer is missing from it. */
export async function collect(env: GatewayEnv, configured: Configured): Promise<Collected> {
  const asked = allQueues(env)
  const [told, queues] = await Promise.all([
    fromDirectory(env),
    queueStates(asked, (ms) => scheduler.wait(ms)),
  ])
  const models = modelsFor(configured, false)
  return { ...told, models, queues, silentQueues: asked.length - queues.length }
}

/** One after the other: a database does one thing at a time, and the connections are needed for the queues. */
async function fromDirectory(env: GatewayEnv) {
  const directory = openDirectory(env.DIRECTORY)
  return {
    sums: await figureSums(directory),
    deadLetters: await deadLetterFigures(directory),
    backlogs: await largestBacklogs(directory, TENANTS_SHOWN),
    oldestSnapshotAt: await oldestSnapshotAt(directory),
  }
}
