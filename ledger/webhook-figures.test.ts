import { beforeEach, describe, expect, it } from 'vitest'
import { recordAttempts } from './delivery-records.ts'
import { Outgoing } from './outgoing.ts'
import { memoryStore } from './sqlite.fixture.ts'
import type { Db } from './store.ts'
import { WebhookCounts } from './webhook-figures.ts'
import { addDelivery, addEndpoint, addEvent, answered, contextOf, NOW } from './webhook-rows.fixture.ts'

const KEEP_MS = 5000
const delivered = { outcome: 'delivered', firstAfterMs: 700 }
const again = { outcome: 'http_status', firstAfterMs: null }

let db: Db
let counts: WebhookCounts
beforeEach(() => {
  db = memoryStore()
  counts = new WebhookCounts(db)
})

describe('attempts at webhooks', () => {
  it('are counted by their outcome, and first ones by how long they took', () => {
    counts.count([delivered, again, again], NOW)

    expect(counts.total).toBe(3)
    expect(counts.figures).toEqual({
      attempts: { delivered: 1, http_status: 2 },
      firstAttempt: { buckets: [0, 0, 1, 0, 0, 0, 0, 0, 0, 0], sumMs: 700 },
    })
  })

  it('are to be written some seconds after the first that is not, and once', () => {
    expect(counts.keepAt).toBeNull()
    counts.count([delivered], NOW)
    counts.count([again], NOW + 1000)
    expect(counts.keepAt).toBe(NOW + KEEP_MS)

    counts.keep()

    expect(counts.keepAt).toBeNull()
    expect(new WebhookCounts(db).figures).toEqual(counts.figures)
  })

  it('that were not written are lost with the memory, and no others', () => {
    counts.count([delivered], NOW)
    counts.keep()
    counts.count([again], NOW)

    expect(new WebhookCounts(db).figures.attempts).toEqual({ delivered: 1 })
  })

  it('are told once by what records them, the first of a delivery with its delay', () => {
    addEndpoint(db, 'we_a')
    addEvent(db, 1, 'job.accepted')
    addDelivery(db, 1, 'we_a', 'pending')
    const ctx = contextOf(db)
    const record = (status: number, at: number) => {
      const { attempt, ...rest } = answered(status)
      const one = { eventSequence: 1, ...rest, attempt: { ...attempt, at } }
      recordAttempts(ctx, 'we_a', [one], new Outgoing())
    }

    record(500, NOW + 20)
    record(500, NOW + 20)
    record(204, NOW + 6000)

    expect(ctx.tally.attempts).toEqual([
      { outcome: 'http_status', firstAfterMs: 20 },
      { outcome: 'delivered', firstAfterMs: null },
    ])
  })
})
