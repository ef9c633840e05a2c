import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { memoryDirectory } from '../../ledger/directory/directory.fixture.ts'
import { readService } from './read.ts'

const SINCE = Date.UTC(2026, 10, 30)
const bindings = [
  'JOBS',
  'JOBS_BULK',
  'JOBS_SLOW',
  'JOBS_SOLO',
  'BATCHES',
  'CALLBACKS',
  'EVALUATIONS',
].flatMap((name) => [name, `${name}_DLQ`])
const queue = (backlogCount: number, oldest?: number) => ({
  metrics: async () => ({
    backlogCount,
    backlogBytes: 0,
    ...(oldest !== undefined && { oldestMessageTimestamp: new Date(oldest) }),
  }),
})
const broken = {
  metrics: () => Promise.reject(new Error('no metrics')),
  prepare: () => {
    throw new Error('no database')
  },
}

/** Every other queue is empty. */
const read = (more: object = {}) =>
  readService({
    ...Object.fromEntries(bindings.map((name) => [name, queue(0)])),
    DIRECTORY: memoryDirectory().database,
    JOBS: queue(3, SINCE),
    JOBS_SLOW: queue(0, SINCE),
    ...more,
  } as unknown as ConsumersEnv)

beforeEach(() => vi.stubGlobal('scheduler', { wait: () => new Promise(() => undefined) }))
afterEach(() => vi.unstubAllGlobals())

describe('what is read of the service', () => {
  it('is all of it', async () => {
    const reading = await read()

    expect(reading).toMatchObject({
      figures: { oldestWaitingAt: null, models: {} },
      letters: { oldestOpenAt: null },
      ledgers: { silentSince: null },
    })
    expect(reading.queues).toHaveLength(14)
    expect(reading.queues?.filter(({ oldestAt }) => oldestAt !== null)).toEqual([
      { queue: 'jobs', oldestAt: SINCE },
    ])
  })

  it.each([
    ['the directory', { DIRECTORY: broken }, ['figures', 'letters', 'ledgers']],
    ['a queue', { BATCHES: broken }, ['queues']],
  ])('lacks what %s does not tell, which is in the log, and no more', async (_, more, parts) => {
    const told = vi.spyOn(console, 'log').mockImplementation(() => undefined)

    const reading = await read(more)

    const missing = Object.entries(reading).filter(([, part]) => part === null)
    expect(missing.map(([name]) => name)).toEqual(parts)
    const lines = told.mock.calls.map(([line]) => JSON.parse(String(line)))
    const expected = parts.map((part) => ({ event: 'alerts.part_unreadable', part, error: 'Error' }))
    expect(new Set(lines)).toEqual(new Set(expected))
    told.mockRestore()
  })
})
