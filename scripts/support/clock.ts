/** The clock of a local run: a process beside the Workers that fires their crons until it is ended, and says on its error output what failed. */
import { openScheduledCalls } from './scheduled-calls.ts'
import { keepSchedules, localSchedules } from './schedules.ts'
import { openStateDir } from './state-dir.ts'
import { errorMark } from './wrangler-log.ts'

// At once, so that nothing is called, and no failure told, while the Workers end as well.
process.on('SIGTERM', () => process.exit())

const { registry } = openStateDir(process.argv[2] ?? '')
const schedules = localSchedules()
const workers = new Set(schedules.map(({ worker }) => worker))
const { call } = await openScheduledCalls(registry, [...workers])
keepSchedules(schedules, call, (line) => console.error(`${errorMark} ${line}`))
