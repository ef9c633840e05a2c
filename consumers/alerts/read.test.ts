import { describe, expect, it, vi } from 'vitest'
import { memoryDirectory } from '../../ledger/directory/directory.fixture.ts'
import { readService } from './read.ts'

const SINCE = Date.UTC(2026, 10, 30)
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

const read = (more: object = {}) =>
  readService({
    DIRECTORY: memoryDirectory().database,
    JOBS: queue(3, SINCE),
    JOBS_BULK: queue(0),
    JOBS_SLOW: queue(0, SINCE),
    JOBS_SOLO: queue(1),
    BATCHES: queue(0),
    CALLBACKS: queue(0),
    ...more,
  } as unknown as ConsumersEnv)

describe('what is read of the service', () => {
  it('is all of it', async () => {
    const reading = await read()

    expect(reading).toMatchObject({
      figures: { oldestWaitingAt: null, models: {} },
      letters: { oldestOpenAt: null },
      ledgers: { silentSince: null },
    })
    expect(reading.queues?.map(({ queue: name, oldestAt }) => [name, oldestAt])).toEqual([
      ['jobs', SINCE],
      ['jobs-bulk', null],
      ['jobs-slow', null],
      ['jobs-solo', null],
      ['batches', null],
      ['callbacks', null],
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
