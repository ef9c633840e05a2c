import { describe, expect, it } from 'vitest'
import { eventsBefore } from './epoch.ts'
import { type FeedQuery, newsOf, readFeed } from './feed.ts'
import { memoryStore } from './sqlite.fixture.ts'
import type { Db } from './store.ts'
import { addEvent, eventId, NOW } from './webhook-rows.fixture.ts'

const whole: FeedQuery = { position: null, after: null, types: null, limit: 100 }

/** Events from one number to another, of which every hundredth failed. */
function feed(first: number, last: number): Db {
  const db = memoryStore()
  for (let sequence = first; sequence <= last; sequence++)
    addEvent(db, sequence, sequence % 100 === 0 ? 'job.failed' : 'job.accepted', { at: NOW + sequence })
  return db
}

function read(db: Db, query: Partial<FeedQuery>) {
  const page = readFeed(db, { ...whole, ...query })
  if (!page.ok) return page.refusal.errors
  const numbers = page.value.bodies.map((body) => (JSON.parse(body) as { n: number }).n)
  return { numbers, nextAfter: page.value.nextAfter }
}

const unknown = [{ parameter: 'after', detail: 'Not the ID of an event.' }]

describe('the feed', () => {
  it.each<[string, Partial<FeedQuery>, object]>([
    ['from the start', { limit: 3 }, { numbers: [11, 12, 13], nextAfter: 13 }],
    ['from a place in it', { position: 13, limit: 3 }, { numbers: [14, 15, 16], nextAfter: 16 }],
    ['up to its end', { position: 16, limit: 4 }, { numbers: [17, 18, 19, 20], nextAfter: null }],
    ['from its end', { position: 20 }, { numbers: [], nextAfter: null }],
    ['after an event', { after: eventId(17, NOW + 17) }, { numbers: [18, 19, 20], nextAfter: null }],
    ['after its last event', { after: eventId(20, NOW + 20) }, { numbers: [], nextAfter: null }],
    [
      'after one that was dropped',
      { after: eventId(5, NOW + 5), limit: 2 },
      { numbers: [11, 12], nextAfter: 12 },
    ],
    ['from a place that was dropped', { position: 5, limit: 2 }, { numbers: [11, 12], nextAfter: 12 }],
    [
      'with a place, whatever event is named',
      { position: 18, after: 'x' },
      { numbers: [19, 20], nextAfter: null },
    ],
    ['after one of another time', { after: eventId(17, NOW) }, unknown],
    ['after one that is to come', { after: eventId(21, NOW + 21) }, unknown],
    ['after a dropped one of too late a time', { after: eventId(5, NOW + 12) }, unknown],
    ['after one of the number 0', { after: eventId(0, NOW) }, unknown],
    ['after a delivery', { after: eventId(17, NOW + 17).replace('evt', 'dlv') }, unknown],
    ['after nonsense', { after: 'nonsense' }, unknown],
    ['of one type', { types: ['job.accepted'], limit: 2 }, { numbers: [11, 12], nextAfter: 12 }],
    ['of a family', { types: ['batch.accepted', 'job.*'], limit: 1 }, { numbers: [11], nextAfter: 11 }],
    ['of types that there are not', { types: ['batch.*'] }, { numbers: [], nextAfter: null }],
  ])('%s', (_, query, expected) => {
    expect(read(feed(11, 20), query)).toEqual(expected)
  })

  it('of a tenant without events has no place but its start', () => {
    expect(read(memoryStore(), {})).toEqual({ numbers: [], nextAfter: null })
    expect(read(memoryStore(), { after: eventId(1) })).toEqual(unknown)
  })

  it('examines at most 5,000 for a page of some types, and goes on behind them', () => {
    const db = feed(101, 10_199)
    const query = { types: ['job.failed'], limit: 1 }

    expect(read(db, { types: ['job.cancelled'] })).toEqual({ numbers: [], nextAfter: 5100 })
    expect(read(db, { types: ['job.cancelled'], position: 5199 })).toEqual({ numbers: [], nextAfter: null })
    expect(read(db, { ...query, position: 5150 })).toEqual({ numbers: [5200], nextAfter: 5200 })
    expect(read(db, { ...query, position: 10_100 })).toEqual({ numbers: [], nextAfter: null })
  })

  it('shows a rare event once, on the page of its place', () => {
    const db = feed(101, 5100)
    addEvent(db, 5101, 'job.cancelled')
    const types = ['job.cancelled']

    expect(read(db, { types })).toEqual({ numbers: [], nextAfter: 5100 })
    expect(read(db, { types, position: 5100 })).toEqual({ numbers: [5101], nextAfter: null })
  })
})

describe('the news', () => {
  it('are events of the types asked for that have come since it was last asked', () => {
    const db = feed(101, 110)
    const [any, failed] = [newsOf(db, null), newsOf(db, ['job.failed'])]

    const told = () => [any(), failed()]
    expect(told()).toEqual([false, false])
    addEvent(db, 111, 'job.accepted')
    expect(told()).toEqual([true, false])
    expect(told()).toEqual([false, false])
    addEvent(db, 112, 'job.failed')
    addEvent(db, 113, 'job.accepted')
    expect(told()).toEqual([true, true])
  })
})

describe('a feed of which a restore has forgotten some', () => {
  const epoch = eventsBefore(1)
  const db = () => {
    const store = feed(11, 13)
    addEvent(store, epoch + 1, 'job.accepted', { at: NOW + 30 })
    return store
  }

  it.each<[string, Partial<FeedQuery>]>([
    ['after one that is forgotten', { after: eventId(15, NOW + 15) }],
    ['after the last that is known', { after: eventId(13, NOW + 13) }],
    ['from a place in between', { position: 5000 + 13 }],
  ])('goes on %s', (_, query) => {
    const page = readFeed(db(), { ...whole, ...query }, 1)

    expect(page).toMatchObject({
      ok: true,
      value: { bodies: [expect.stringContaining(`"n":${epoch + 1}`)], nextAfter: null },
    })
  })

  it('knows no event of its own epoch that was never told', () => {
    expect(readFeed(db(), { ...whole, after: eventId(epoch + 2, NOW + 31) }, 1)).toMatchObject({ ok: false })
  })
})
