import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LedgerStub } from '../ledger/call.ts'
import type { DrainReply, DrainTurn } from '../ledger/drain-turn.ts'
import { randomBytes } from '../ledger/ids.ts'
import { mintKey } from '../ledger/webhooks/keys.ts'
import type { SealedRecipient } from '../ledger/webhooks/recipient.ts'
import { Drain, type DrainParts } from './drain.ts'

const kek = JSON.stringify({ k1: btoa('k'.repeat(32)) })
const url = 'https://example.com/hook'

async function recipientOf(more: Partial<SealedRecipient> = {}): Promise<SealedRecipient> {
  const { key } = await mintKey(kek, 'we_a', 0, randomBytes)
  return { endpointId: 'we_a', url, signing: 'hmac', keys: [key], sealedHeaders: null, ...more }
}

const numbered = (eventSequence: number) => ({
  eventSequence,
  eventId: `evt_${eventSequence}`,
  body: `{"n":${eventSequence}}`,
  traceparent: null,
  tries: 0,
  createdAt: 0,
})

/** A ledger with so many deliveries due, that takes its time to answer; keeps the turns it was asked for. */
function ledgerWith(due: number, recipient: SealedRecipient, again: (number | null)[] = [], latencyMs = 0) {
  const turns: DrainTurn[] = []
  let next = 0
  const turnDeliveries = async (turn: DrainTurn): Promise<DrainReply> => {
    turns.push(turn)
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs))
    const deliveries = []
    while (next < due && deliveries.length < turn.slots) deliveries.push(numbered(next++))
    if (deliveries.length > 0) return { recipient, deliveries, againInMs: null }
    return { recipient: null, deliveries: [], againInMs: turn.slots > 0 ? (again.shift() ?? null) : null }
  }
  return {
    turns,
    stub: () => ({ turnDeliveries }) as unknown as LedgerStub,
    add: (more: number) => (due += more),
  }
}

/** Answers after so many milliseconds, by the number of the event. */
const receiver = (latency: (n: number) => number) =>
  vi.fn<typeof fetch>(async (request) => {
    const { n } = (await (request as Request).json()) as { n: number }
    await new Promise((resolve) => setTimeout(resolve, latency(n)))
    return new Response(null, { status: 204 })
  })

const partsWith = (fetch: typeof globalThis.fetch): DrainParts => ({
  fetch,
  now: Date.now,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  guard: async () => ({ ok: true, url: new URL(url) }),
  randomBytes,
  keyEncryptionKeys: kek,
})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  vi.spyOn(console, 'log').mockReturnValue()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const idle = promisify(setTimeout)

/** Runs the drain to its end. Time goes on to the next thing that is to happen, once nothing is going on. */
async function drained(drain: Drain): Promise<void> {
  let ended = false
  const running = drain.run().finally(() => {
    ended = true
  })
  while (!ended) {
    await idle(25)
    await vi.advanceTimersToNextTimerAsync()
  }
  await running
}

const recorded = (turns: DrainTurn[]) => turns.flatMap(({ attempts }) => attempts)

describe('a drain', () => {
  it('makes two turns for a single delivery: one that fetches it, one that records it', async () => {
    const ledger = ledgerWith(1, await recipientOf())
    await drained(new Drain('acme', 'we_a', ledger.stub, partsWith(receiver(() => 40))))

    expect(ledger.turns.map(({ slots, underway, attempts }) => [slots, underway, attempts.length])).toEqual([
      [4, 0, 0],
      [4, 0, 1],
    ])
    expect(recorded(ledger.turns)).toMatchObject([
      { eventSequence: 0, attempt: { status_code: 204, error: null } },
    ])
  })

  it('fills a slot as soon as it is free, whatever the others do', async () => {
    const ledger = ledgerWith(31, await recipientOf())
    const parts = partsWith(receiver((n) => (n === 0 ? 11_000 : 100)))
    await drained(new Drain('acme', 'we_a', ledger.stub, parts))

    const order = recorded(ledger.turns).map(({ eventSequence }) => eventSequence)
    expect(order.at(-1)).toBe(0)
    expect(order.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 31 }, (_, n) => n))
  })

  it('records together what ends together', async () => {
    const ledger = ledgerWith(4, await recipientOf())
    await drained(new Drain('acme', 'we_a', ledger.stub, partsWith(receiver((n) => 40 + (n % 2)))))

    expect(ledger.turns.map(({ attempts }) => attempts.length)).toEqual([0, 4])
  })

  it('takes what becomes due while a receiver hangs', async () => {
    const ledger = ledgerWith(1, await recipientOf())
    const hangs = partsWith(receiver((n) => (n === 0 ? 6000 : 100)))
    const draining = drained(new Drain('acme', 'we_a', ledger.stub, hangs))
    setTimeout(() => ledger.add(1), 1000)
    await draining

    expect(recorded(ledger.turns).map(({ eventSequence }) => eventSequence)).toEqual([1, 0])
  })

  it('takes a turn that failed once more, with what it carried', async () => {
    const ledger = ledgerWith(2, await recipientOf())
    const { turnDeliveries } = ledger.stub()
    let calls = 0
    const flaky = () =>
      ({
        turnDeliveries: (turn: DrainTurn) =>
          ++calls === 2 ? Promise.reject(new Error('reset')) : turnDeliveries(turn),
      }) as unknown as LedgerStub
    await drained(new Drain('acme', 'we_a', flaky, partsWith(receiver(() => 10))))

    expect(recorded(ledger.turns)).toHaveLength(2)
  })

  it('never has more than four under way', async () => {
    const ledger = ledgerWith(20, await recipientOf())
    let [now, most] = [0, 0]
    const slow = receiver((n) => 100 + 40 * (n % 4))
    const counted: typeof fetch = async (...args) => {
      most = Math.max(most, ++now)
      return slow(...args).finally(() => now--)
    }
    await drained(new Drain('acme', 'we_a', ledger.stub, partsWith(counted)))

    expect(most).toBe(4)
  })

  it('goes by what the endpoint is at each turn', async () => {
    const [before, after] = [await recipientOf(), await recipientOf({ url: 'https://example.com/moved' })]
    const ledger = ledgerWith(5, before)
    const { turnDeliveries } = ledger.stub()
    const moving = () =>
      ({
        turnDeliveries: async (turn: DrainTurn) => {
          const reply = await turnDeliveries(turn)
          return reply.recipient && ledger.turns.length > 1 ? { ...reply, recipient: after } : reply
        },
      }) as unknown as LedgerStub
    const called: string[] = []
    const quick = receiver(() => 10)
    const noted: typeof fetch = (...args) => {
      called.push((args[0] as Request).url)
      return quick(...args)
    }
    const guard: DrainParts['guard'] = async (url) => ({ ok: true, url: new URL(url) })
    await drained(new Drain('acme', 'we_a', moving, { ...partsWith(noted), guard }))

    expect(called).toEqual([url, url, url, url, 'https://example.com/moved'])
  })

  it('records what ends while the ledger is being asked', async () => {
    const ledger = ledgerWith(9, await recipientOf(), [], 50)
    await drained(new Drain('acme', 'we_a', ledger.stub, partsWith(receiver((n) => 10 * (n % 4)))))

    expect(recorded(ledger.turns)).toHaveLength(9)
    expect(ledger.turns.at(-1)?.underway).toBe(0)
  })

  it('takes nothing new after eight seconds, and records what is under way', async () => {
    const ledger = ledgerWith(1000, await recipientOf())
    const startedAt = Date.now()
    const starts: number[] = []
    const slow = receiver(() => 5000)
    const timed: typeof fetch = (...args) => {
      starts.push(Date.now() - startedAt)
      return slow(...args)
    }
    await drained(new Drain('acme', 'we_a', ledger.stub, partsWith(timed)))

    expect(Math.max(...starts)).toBeLessThanOrEqual(8500)
    expect(Math.max(...starts)).toBeGreaterThanOrEqual(5000)
    expect(recorded(ledger.turns)).toHaveLength(starts.length)
    expect(ledger.turns.at(-1)).toMatchObject({ slots: 0, underway: 0 })
  })

  it('asks again when the ledger says so', async () => {
    const ledger = ledgerWith(0, await recipientOf(), [700])
    const draining = drained(new Drain('acme', 'we_a', ledger.stub, partsWith(receiver(() => 1))))
    await vi.advanceTimersByTimeAsync(100)
    ledger.add(1)
    await draining

    expect(ledger.turns.map(({ attempts }) => attempts.length)).toEqual([0, 0, 1])
  })

  it.each<[string, Partial<SealedRecipient>]>([
    ['that it can open', { endpointId: 'we_other' }],
    ['at all', { keys: [] }],
  ])('sends nothing without a key %s, and says why', async (_, more) => {
    const sealed = await recipientOf(more)
    const fetch = receiver(() => 1)
    const ledger = ledgerWith(2, sealed)
    await drained(new Drain('acme', 'we_a', ledger.stub, partsWith(fetch)))

    expect(recorded(ledger.turns).map(({ attempt }) => attempt.error)).toEqual([
      'signing_key_unavailable',
      'signing_key_unavailable',
    ])
    expect(fetch).not.toHaveBeenCalled()
  })
})
