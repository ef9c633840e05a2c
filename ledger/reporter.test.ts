import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { peopledDirectory } from './directory/directory.fixture.ts'
import { openDirectory } from './directory/open.ts'
import { rollUps, usageDays } from './directory/schema.ts'
import { completed, failedOf, JobLedger } from './jobs.fixture.ts'
import { Reporter } from './reporter.ts'
import { nextDeadline } from './sweep.ts'

const START = Date.UTC(2026, 10, 30, 12)
const EVERY_MS = 60_000
const DAY_MS = 86_400_000

let ledger: JobLedger
let database: D1Database
let points: { indexes: string[]; blobs: string[]; doubles: number[] }[]
let reporter: Reporter

/** As the runtime of a ledger that starts: told of what transactions come to from now on. */
function started(): Reporter {
  const dataset = { writeDataPoint: (point: (typeof points)[number]) => void points.push(point) }
  const fresh = new Reporter({
    db: ledger.db,
    ledger: 'acme:1:0',
    everyMs: EVERY_MS,
    life: () => ledger.desk.life,
    deadline: () => nextDeadline(ledger.db),
    points: dataset as unknown as AnalyticsEngineDataset,
  })
  fresh.load()
  return fresh
}

beforeEach(async () => {
  vi.useFakeTimers({ now: START })
  ledger = new JobLedger()
  ;({ database } = await peopledDirectory('acme'))
  points = []
  reporter = started()
})
afterEach(() => {
  vi.useRealTimers()
})

const report = (to = database) => reporter.report(openDirectory(to), Date.now())
const isDue = () => reporter.dueAt() <= Date.now()
const snapshot = async () => (await openDirectory(database).select().from(rollUps))[0]
const days = () => openDirectory(database).select().from(usageDays)

/** One that is accepted, and ends at once. */
function job(outcome = completed): void {
  const id = ledger.accept()
  ledger.claim(id)
  ledger.settle(id, outcome)
  reporter.changed()
}

function restarted(): void {
  ledger.evict()
  reporter = started()
}

describe('a snapshot', () => {
  it('is not owed by a ledger that has nothing to tell', () => {
    expect(reporter.dueAt()).toBe(Number.POSITIVE_INFINITY)
    restarted()
    expect(reporter.dueAt()).toBe(Number.POSITIVE_INFINITY)
  })

  it('is owed after a change, and once', async () => {
    job()
    expect(isDue()).toBe(true)

    await report()

    expect(reporter.dueAt()).toBe(Number.POSITIVE_INFINITY)
    expect(await snapshot()).toMatchObject({ openJobs: 0, figures: { work: [{ succeeded: 1, open: 0 }] } })
  })

  it('is not owed sooner than the last one allows', async () => {
    job()
    await report()
    vi.advanceTimersByTime(1000)
    job()

    expect(reporter.dueAt()).toBe(START + EVERY_MS)
    restarted()
    expect(reporter.dueAt()).toBe(START + EVERY_MS)
  })

  it('is owed again and again while work is open, and once more when it has ended', async () => {
    const id = ledger.accept()
    reporter.changed()
    await report()
    expect(reporter.dueAt()).toBe(START + EVERY_MS)
    restarted()
    expect(reporter.dueAt()).toBe(START + EVERY_MS)
    vi.advanceTimersByTime(EVERY_MS)
    await report()
    expect((await snapshot())?.figures.now).toMatchObject({ waiting: 1, oldestWaitingAt: START })

    ledger.cancel(id)
    reporter.changed()
    vi.advanceTimersByTime(EVERY_MS)
    await report()

    expect(reporter.dueAt()).toBe(Number.POSITIVE_INFINITY)
    expect((await snapshot())?.figures.now).toMatchObject({ waiting: 0, oldestUnfinishedAt: null })
  })

  it('is still owed by a ledger that was started again before it had told', async () => {
    job()
    await report()
    job(failedOf('content_filtered'))
    vi.advanceTimersByTime(EVERY_MS)

    restarted()

    expect(isDue()).toBe(true)
    await report()
    expect((await snapshot())?.figures.work).toMatchObject([{ succeeded: 1, failed: 1 }])
  })

  it('is not owed by a ledger that has told everything and is started to be read', async () => {
    job()
    await report()
    vi.advanceTimersByTime(30 * DAY_MS)

    restarted()

    expect(reporter.dueAt()).toBe(Number.POSITIVE_INFINITY)
  })

  it('that a change races with is followed by another', async () => {
    job()
    const racing = report()
    job()
    await racing

    expect(reporter.dueAt()).toBe(START + EVERY_MS)
    vi.advanceTimersByTime(EVERY_MS)
    await report()
    expect((await snapshot())?.figures.work).toMatchObject([{ succeeded: 2 }])
  })

  it('that did not arrive, or whose answer was lost, is told again and counts nothing twice', async () => {
    const lost = (before: boolean) =>
      ({
        prepare: database.prepare.bind(database),
        batch: async (statements: D1PreparedStatement[]) => {
          if (!before) await database.batch(statements)
          throw new Error('lost')
        },
      }) as unknown as D1Database
    job()

    await expect(report(lost(true))).rejects.toThrow('lost')
    await expect(report(lost(false))).rejects.toThrow('lost')
    expect(isDue()).toBe(true)
    vi.advanceTimersByTime(1)
    await report()

    expect((await snapshot())?.figures.work).toMatchObject([{ succeeded: 1 }])
    expect((await days()).map(({ figures }) => figures)).toMatchObject([[{ jobs: 1, succeeded: 1 }]])
    expect(reporter.dueAt()).toBe(Number.POSITIVE_INFINITY)
  })

  it('that hung, and ends after the next, overwrites nothing', async () => {
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const hanging = {
      prepare: database.prepare.bind(database),
      batch: async (statements: D1PreparedStatement[]) => {
        await held
        return database.batch(statements)
      },
    } as unknown as D1Database
    job()
    const first = report(hanging)
    vi.advanceTimersByTime(1000)
    job()
    await report()

    letGo()
    await first

    expect((await snapshot())?.figures.work).toMatchObject([{ succeeded: 2 }])
    expect((await days()).map(({ figures }) => figures)).toMatchObject([[{ jobs: 2 }]])
    restarted()
    expect(reporter.dueAt()).toBe(Number.POSITIVE_INFINITY)
  })

  it('has a revision that grows, even with a clock that does not', async () => {
    job()
    await report()
    job()
    await report()

    expect(await snapshot()).toMatchObject({
      revision: START + 1,
      figures: { work: [{ succeeded: 2 }] },
    })
  })
})

describe('the days of a snapshot', () => {
  it('are those that were added to, each with all that it came to', async () => {
    job()
    await report()
    vi.advanceTimersByTime(DAY_MS)
    job()
    job(failedOf('content_filtered'))
    await report()

    expect(await days()).toMatchObject([
      { day: 20261130, tenantId: 'acme', revision: START, figures: [{ jobs: 1, succeeded: 1, failed: 0 }] },
      { day: 20261201, revision: START + DAY_MS, figures: [{ jobs: 2, succeeded: 1, failed: 1 }] },
    ])
  })

  it('include the end of the day before, where that was not told in time', async () => {
    vi.setSystemTime(Date.UTC(2026, 10, 30, 23, 59, 50))
    job()
    await report()
    vi.advanceTimersByTime(5000)
    job()
    vi.advanceTimersByTime(10_000)
    job()
    await report()

    const jobs = (await days()).map(({ day, figures }) => [day, figures[0]?.jobs])
    expect(jobs).toEqual([
      [20261130, 2],
      [20261201, 1],
    ])
  })

  it('are all of them after the directory was down for days', async () => {
    for (let day = 0; day < 5; day++) {
      job()
      vi.advanceTimersByTime(DAY_MS)
    }
    await report()

    expect((await days()).map(({ day }) => day)).toEqual([20261130, 20261201, 20261202, 20261203, 20261204])
  })

  it('add up to the work, however long ago it was', async () => {
    for (let day = 0; day < 10; day++) {
      job(day % 2 === 0 ? completed : failedOf('content_filtered'))
      await report()
      vi.advanceTimersByTime(DAY_MS)
      if (day % 3 === 0) restarted()
    }
    ledger.accept('test/slow')
    await report()

    const told = await snapshot()
    expect(told?.figures.work).toMatchObject([
      { model: 'embedded/extract-1', open: 0, succeeded: 5, failed: 5, failures: { content_filtered: 5 } },
      { model: 'test/slow', open: 1, succeeded: 0 },
    ])
    expect((await days()).reduce((sum, { figures }) => sum + (figures[0]?.jobs ?? 0), 0)).toBe(10)
  })
})

describe('the points of a snapshot', () => {
  it('are one for each kind and model, and no more values than fit', async () => {
    job()
    ledger.accept('test/slow')
    await report()

    expect(points.map(({ indexes, blobs }) => [indexes, blobs])).toEqual([
      [['acme'], ['summarize', 'embedded/extract-1', 'acme:1:0']],
      [['acme'], ['summarize', 'test/slow', 'acme:1:0']],
    ])
    for (const { doubles } of points) expect(doubles.length).toBeLessThanOrEqual(20)
    expect(points[0]?.doubles.slice(0, 2)).toEqual([0, 1])
  })

  it('break nothing when they cannot be written', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined)
    vi.spyOn(points, 'push').mockImplementation(() => {
      throw new Error('no points')
    })
    job()
    await report()

    expect(reporter.dueAt()).toBe(Number.POSITIVE_INFINITY)
    vi.restoreAllMocks()
  })
})
