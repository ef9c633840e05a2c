import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { BURIED } from '../buried-figures.ts'
import type { Figures } from '../figures.ts'
import { type MemoryDirectory, memoryDirectory } from './directory.fixture.ts'
import { figureSums, largestBacklogs, oldestSnapshotAt } from './figure-sums.ts'
import { figuresOf, workOf } from './figures.fixture.ts'
import { type Directory, openDirectory } from './open.ts'
import { rollUps } from './schema.ts'

let memory: MemoryDirectory
let directory: Directory
beforeEach(() => {
  memory = memoryDirectory()
  directory = openDirectory(memory.database)
})

const told = (ledger: string, figures: Figures, openJobs = 0, updatedAt = 1000) =>
  directory.insert(rollUps).values({ ledger, revision: 1, openJobs, updatedAt, figures })

const sumAt = async (path: string, key: string, kind: string | null = null, from = directory) =>
  (await figureSums(from))
    .filter((sum) => sum.path === path && sum.key === key && sum.kind === kind)
    .map(({ model, total, least }) => ({ model, total, least }))

describe('the sums of all figures', () => {
  it('are none where nobody has told any', async () => {
    expect(await figureSums(directory)).toEqual([])
  })

  it('are of each kind and model by itself', async () => {
    const [other, more] = [{ model: 'test/priced' }, { kind: 'embed' as const }]
    await told(
      'acme:1:0',
      figuresOf({ work: [workOf({ succeeded: 3 }), workOf({ ...other, succeeded: 1 })] }),
    )
    await told(
      'globex:1:0',
      figuresOf({ work: [workOf({ succeeded: 4 }), workOf({ ...more, succeeded: 8 })] }),
    )

    expect(await sumAt('$', 'succeeded', 'summarize')).toEqual([
      { model: 'embedded/extract-1', total: 7, least: 3 },
      { model: 'test/priced', total: 1, least: 1 },
    ])
    expect(await sumAt('$', 'succeeded', 'embed')).toEqual([
      { model: 'embedded/extract-1', total: 8, least: 8 },
    ])
  })

  it('reach into classes, buckets and items, each by its place', async () => {
    const work = workOf({
      attemptsFailed: { rate_limited: 2 },
      items: { succeeded: 5, failed: 1, cancelled: 0, expired: 0 },
      queued: { buckets: [1, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0], sumMs: 12_345 },
    })
    await told('acme:1:0', figuresOf({ work: [work, { ...work, model: 'test/priced' }] }))

    const twice = (total: number) =>
      ['embedded/extract-1', 'test/priced'].map((model) => ({ model, total, least: total }))
    expect(await sumAt('$.attemptsFailed', 'rate_limited', 'summarize')).toEqual(twice(2))
    expect(await sumAt('$.items', 'succeeded', 'summarize')).toEqual(twice(5))
    expect(await sumAt('$.queued.buckets', '2', 'summarize')).toEqual(twice(7))
    expect(await sumAt('$.queued', 'sumMs', 'summarize')).toEqual(twice(12_345))
  })

  it('have the oldest of times, and pass over those that there are not', async () => {
    await told('acme:1:0', figuresOf({ now: { waiting: 2, oldestWaitingAt: 2000 } }))
    await told('globex:1:0', figuresOf({ now: { waiting: 1, oldestWaitingAt: 1500 } }))
    await told('hooli:1:0', figuresOf({}))

    expect(await sumAt('$', 'waiting')).toEqual([{ model: null, total: 3, least: 0 }])
    expect(await sumAt('$', 'oldestWaitingAt')).toEqual([{ model: null, total: 3500, least: 1500 }])
    expect(await sumAt('$', 'oldestUnfinishedAt')).toEqual([])
  })

  it('count webhooks by their outcomes', async () => {
    for (const ledger of ['acme:1:0', 'globex:1:0'])
      await told(ledger, figuresOf({ webhooks: { attempts: { delivered: 3, http_status: 1 } } }))

    expect(await sumAt('$.attempts', 'delivered')).toEqual([{ model: null, total: 6, least: 3 }])
    expect(await sumAt('$.attempts', 'http_status')).toEqual([{ model: null, total: 2, least: 1 }])
  })

  it.each([499, 500, 501, 1000, 1001])('count each of %i ledgers once, in pages', async (count) => {
    const figures = figuresOf({ work: [workOf({ failed: 1 })], now: { running: 2 } })
    for (let nth = 0; nth < count; nth++) await told(`t-${nth}:1:0`, figures)
    memory.asked.length = 0

    expect(await sumAt('$', 'failed', 'summarize')).toEqual([
      { model: 'embedded/extract-1', total: count, least: 1 },
    ])
    const pages = Math.floor(count / 500) + 1
    expect(memory.asked).toHaveLength(2 * pages + (pages === 1 ? 1 : 2))
    expect(await sumAt('$', 'running')).toEqual([{ model: null, total: 2 * count, least: 2 }])
  })

  it.each(['t-0:1:0', 't-599:1:0'])('count %s once that is deleted between two pages', async (ledger) => {
    for (let nth = 0; nth < 600; nth++)
      await told(`t-${nth}:1:0`, figuresOf({ work: [workOf({ failed: 1 })] }))
    const bury = onSecondPage(async () => {
      await directory
        .update(rollUps)
        .set({ ledger: `${BURIED}x` })
        .where(eq(rollUps.ledger, ledger))
    })

    expect(await sumAt('$', 'failed', 'summarize', bury)).toEqual([
      { model: 'embedded/extract-1', total: 600, least: 1 },
    ])
  })
})

/** The directory, in which something happens once, before the second page is read. */
function onSecondPage(happens: () => Promise<void>): Directory {
  let pages = 0
  const prepare = (sql: string) => {
    const statement = memory.database.prepare(sql)
    if (!sql.includes('with page') || ++pages !== 2) return statement
    const raw = statement.bind.bind(statement)
    return Object.assign(statement, {
      bind: (...values: unknown[]) => {
        const bound = raw(...values)
        const all = bound.all.bind(bound)
        return Object.assign(bound, { all: () => happens().then(() => all()) })
      },
    })
  }
  return openDirectory({ ...memory.database, prepare } as D1Database)
}

describe('ledgers with open work', () => {
  it('are as silent as the one that has told nothing for longest', async () => {
    await told('idle:1:0', figuresOf({}), 0, 10)
    expect(await oldestSnapshotAt(directory)).toBeNull()

    await told('acme:1:0', figuresOf({}), 1, 300)
    await told('globex:1:0', figuresOf({}), 7, 200)

    expect(await oldestSnapshotAt(directory)).toBe(200)
  })

  it('are shown by tenant, the largest backlogs first, and no more than asked for', async () => {
    for (let nth = 1; nth <= 5; nth++) await told(`t-${nth}:1:0`, figuresOf({}), nth)
    await told('t-1:2:0', figuresOf({}), 3)
    await told('idle:1:0', figuresOf({}))

    expect(await largestBacklogs(directory, 3)).toEqual([
      { tenantId: 't-5', jobs: 5 },
      { tenantId: 't-1', jobs: 4 },
      { tenantId: 't-4', jobs: 4 },
    ])
    expect(await largestBacklogs(directory, 20)).toHaveLength(5)
  })
})
