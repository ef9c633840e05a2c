import { beforeEach, describe, expect, it } from 'vitest'
import { memoryDirectory } from '../directory/directory.fixture.ts'
import { figureSums } from '../directory/figure-sums.ts'
import { figuresOf, workOf } from '../directory/figures.fixture.ts'
import { type Directory, openDirectory } from '../directory/open.ts'
import { rollUps } from '../directory/schema.ts'
import type { Figures } from '../figures.ts'
import { figuresReading } from './figures-reading.ts'
import { calm } from './reading.fixture.ts'

let directory: Directory
beforeEach(() => {
  directory = openDirectory(memoryDirectory().database)
})

const add = async (ledger: string, figures: Figures) => {
  await directory.insert(rollUps).values({ ledger, revision: 1, openJobs: 0, updatedAt: 1, figures })
}
const read = async () => figuresReading(await figureSums(directory))

describe('what is read of the figures of all ledgers', () => {
  it('is nothing without any', async () => {
    expect(await read()).toEqual(calm)
  })

  it('is by model, of jobs and items, with the failures that customers cannot mend', async () => {
    const items = { succeeded: 5, failed: 2, cancelled: 9, expired: 3 }
    const failures = {
      timeout: 2,
      missing_result: 1,
      permission_denied: 4,
      invalid_input: 50,
      deadline_exceeded: 7,
    }
    const webhooks = { attempts: { delivered: 10, timeout: 3 } }
    const misbehaves = workOf({ model: 'test/flaky', failed: 9, failures: { internal: 9 } })
    const work = workOf({ model: 'a', succeeded: 10, failed: 64, cancelled: 3, items, failures })
    await add(
      'acme:1:0',
      figuresOf({
        work: [work, misbehaves],
        now: { waiting: 4, oldestWaitingAt: 700, pastDeadline: 1, batchesStalled: 2 },
        webhooks,
      }),
    )
    const other = workOf({ model: 'a', kind: 'embed', succeeded: 1 })
    const failing = workOf({ model: 'b', succeeded: 2, failed: 1, failures: { internal: 1 } })
    await add(
      'globex:1:0',
      figuresOf({
        work: [other, failing],
        now: { oldestWaitingAt: 900, oldestUnfinishedAt: 300, pastDeadline: 4 },
        webhooks,
      }),
    )

    expect(await read()).toEqual({
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
})
