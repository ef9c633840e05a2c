import { beforeEach, describe, expect, it } from 'vitest'
import { OPERATORS_LEDGER } from '../operators.ts'
import { memoryDirectory } from './directory.fixture.ts'
import { type Directory, openDirectory } from './open.ts'
import { deadLetters, rollUps } from './schema.ts'
import { longestSilent, oldestOpenLetter, sumFigures } from './service-figures.ts'

let directory: Directory
beforeEach(() => {
  directory = openDirectory(memoryDirectory().database)
})

const now = {
  waiting: 0,
  running: 0,
  oldestWaitingAt: null as number | null,
  oldestUnfinishedAt: null as number | null,
  pastDeadline: 0,
  batchesOpen: 0,
  batchesStalled: 0,
}
const work = (model: string, more: object) => ({
  kind: 'embed',
  model,
  succeeded: 0,
  failed: 0,
  cancelled: 0,
  items: { succeeded: 0, failed: 0, cancelled: 0, expired: 0 },
  failures: {},
  ...more,
})
const add = (ledger: string, figures: object, more: object = {}) =>
  directory
    .insert(rollUps)
    .values({ ledger, revision: 1, openJobs: 0, updatedAt: 1, figures: figures as never, ...more })

describe('the sums over all ledgers', () => {
  it('are nothing without any', async () => {
    expect(await sumFigures(directory)).toEqual({
      oldestWaitingAt: null,
      oldestUnfinishedAt: null,
      pastDeadline: 0,
      batchesStalled: 0,
      models: {},
      webhooks: { attempts: 0, failed: 0 },
    })
  })

  it('are by model, of jobs and items, with the failures that customers cannot mend', async () => {
    const items = { succeeded: 5, failed: 2, cancelled: 9, expired: 3 }
    const failures = {
      timeout: 2,
      missing_result: 1,
      permission_denied: 4,
      invalid_input: 50,
      deadline_exceeded: 7,
    }
    const webhooks = { attempts: { delivered: 10, timeout: 3 } }
    const misbehaves = work('test/flaky', { failed: 9 })
    await add('acme:1:0', {
      work: [work('a', { succeeded: 10, failed: 64, cancelled: 3, items, failures }), misbehaves],
      now: { ...now, oldestWaitingAt: 700, pastDeadline: 1, batchesStalled: 2 },
      webhooks,
    })
    await add('globex:1:0', {
      work: [work('a', { succeeded: 1 }), work('b', { succeeded: 2, failed: 1, failures: { internal: 1 } })],
      now: { ...now, oldestWaitingAt: 900, oldestUnfinishedAt: 300, pastDeadline: 4 },
      webhooks,
    })

    expect(await sumFigures(directory)).toEqual({
      oldestWaitingAt: 700,
      oldestUnfinishedAt: 300,
      pastDeadline: 5,
      batchesStalled: 2,
      models: {
        a: { ended: 85, expired: 10, failed: 7, refused: 4 },
        b: { ended: 3, expired: 0, failed: 1, refused: 0 },
      },
      webhooks: { attempts: 26, failed: 6 },
    })
  })

  it('leave out what operators are sent themselves', async () => {
    await add(OPERATORS_LEDGER, { work: [], now, webhooks: { attempts: { timeout: 3 } } })

    expect((await sumFigures(directory)).webhooks).toEqual({ attempts: 0, failed: 0 })
  })
})

describe('the ledger that has been silent the longest', () => {
  it('has work open', async () => {
    await add('acme:1:0', {}, { updatedAt: 5, openJobs: 0 })
    await add('globex:1:0', {}, { updatedAt: 9, openJobs: 1 })
    await add('initech:1:0', {}, { updatedAt: 7, openJobs: 2 })

    expect(await longestSilent(directory)).toBe(7)
  })

  it('is none where no work is open', async () => {
    expect(await longestSilent(directory)).toBeNull()
  })
})

describe('the oldest open dead letter', () => {
  const letter = (id: string, status: 'open' | 'resolved', createdAt: number) =>
    directory.insert(deadLetters).values({
      id,
      queue: 'jobs',
      class: 'timeout',
      attempts: 1,
      status,
      redrivable: true,
      redriveReason: '',
      redriveConditions: [],
      createdAt,
      reviewBy: 0,
    })

  it('is the one that was written first, whatever its ID', async () => {
    await letter('dl_1', 'resolved', 1)
    await letter('dl_2', 'open', 8)
    await letter('dl_3', 'open', 6)

    expect(await oldestOpenLetter(directory)).toBe(6)
  })

  it('is none where none is open', async () => {
    expect(await oldestOpenLetter(directory)).toBeNull()
  })
})
