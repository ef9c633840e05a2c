import { describe, expect, it } from 'vitest'
import { CONCURRENT, Outgoing } from './outgoing.ts'
import type { Subscription } from './subscriptions.ts'
import { healthy } from './webhooks/health.ts'

const now = 1_000_000
const endpoint = (more: Partial<Subscription> = {}) =>
  ({ id: 'we_a', maxPerSecond: null, health: healthy, ...more }) as Subscription

describe('the room for deliveries to an endpoint', () => {
  it('is for four at once, and opens when one is recorded', () => {
    const outgoing = new Outgoing()
    const to = endpoint()
    outgoing.send(to, [1, 2, 3], now)
    expect([CONCURRENT, outgoing.room(to, now), outgoing.roomAt(to, now)]).toEqual([4, 1, now])

    outgoing.send(to, [4], now)
    expect([outgoing.room(to, now), outgoing.roomAt(to, now)]).toEqual([0, now + 30_000])

    outgoing.ended('we_a', 2)
    expect([outgoing.room(to, now), outgoing.roomAt(to, now)]).toEqual([1, now])
    expect(outgoing.out('we_a', now)).toEqual([1, 3, 4])
  })

  it('opens as well when an attempt is lost', () => {
    const outgoing = new Outgoing()
    outgoing.send(endpoint(), [1, 2, 3, 4], now)

    expect(outgoing.nextLoss('we_a')).toBe(now + 30_000)
    expect([outgoing.room(endpoint(), now + 29_999), outgoing.room(endpoint(), now + 30_000)]).toEqual([0, 4])
  })

  it('is closed during a pause, and for one only on the trial after it', () => {
    const outgoing = new Outgoing()
    const to = endpoint({ health: { ...healthy, pauseMs: 5000, pausedUntil: now + 5000 } })

    expect([outgoing.room(to, now), outgoing.roomAt(to, now)]).toEqual([0, now + 5000])
    expect(outgoing.room(to, now + 5000)).toBe(1)
    outgoing.send(to, [1], now + 5000)
    expect([outgoing.room(to, now + 5001), outgoing.roomAt(to, now + 5001)]).toEqual([0, now + 35_000])
  })

  it('follows the pace that the endpoint wants', () => {
    const outgoing = new Outgoing()
    const to = endpoint({ maxPerSecond: 2 })
    expect(outgoing.room(to, now)).toBe(2)
    outgoing.send(to, [1, 2], now)
    for (const one of [1, 2]) outgoing.ended('we_a', one)

    expect([outgoing.room(to, now + 10), outgoing.roomAt(to, now + 10)]).toEqual([0, now + 1000])
    expect(outgoing.room(to, now + 1000)).toBe(2)
  })

  it('is each endpoint of its own', () => {
    const outgoing = new Outgoing()
    outgoing.send(endpoint(), [1, 2, 3, 4], now)

    expect(outgoing.room(endpoint({ id: 'we_b' }), now)).toBe(4)
  })
})
