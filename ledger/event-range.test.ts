import { describe, expect, it } from 'vitest'
import { eventsBetween, firstNumberAt } from './event-range.ts'
import { events } from './schema.ts'
import { memoryStore } from './sqlite.fixture.ts'

/** Numbers with the times of their events; some numbers are missing, some events are of one moment. */
const made = [
  [3, 100],
  [4, 100],
  [7, 200],
  [8, 250],
  [12, 250],
  [13, 400],
] as const

function store(rows: readonly (readonly [number, number])[] = made) {
  const db = memoryStore()
  const common = { type: 'job.accepted', subjectId: 'job_x', body: '{}' } as const
  for (const [sequence, createdAt] of rows)
    db.insert(events)
      .values({ ...common, sequence, createdAt, id: `evt_${sequence}` })
      .run()
  return db
}

/** What a look at every event finds. */
const within = (since: number, until: number) =>
  made.filter(([, at]) => at >= since && at <= until).map(([sequence]) => sequence)

describe('the events of a range of time', () => {
  const moments = [0, 99, 100, 101, 200, 225, 250, 251, 400, 401, 1000]
  const ranges = moments.flatMap((since) => moments.map((until) => [since, until] as const))

  it.each(ranges)('from %i to %i are those that a look at each finds', (since, until) => {
    const { from, to } = eventsBetween(store(), since, until)

    const found = made.map(([sequence]) => sequence).filter((sequence) => sequence >= from && sequence < to)
    expect(found).toEqual(within(since, until))
  })

  it('are none where there are no events at all', () => {
    const { from, to } = eventsBetween(store([]), 0, 1000)

    expect(to - from).toBeLessThanOrEqual(0)
  })

  it('are found by looking at a few', () => {
    let looks = 0
    const next = (sequence: number) => {
      looks++
      return { sequence, createdAt: sequence * 10 }
    }

    expect(firstNumberAt({ from: 1, to: 1_000_000 }, 1_234_560, next)).toBe(123_456)
    expect(looks).toBeLessThanOrEqual(20)
  })
})
