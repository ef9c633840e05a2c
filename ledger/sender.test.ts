import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Log } from './log.ts'
import { Sender } from './sender.ts'

const SEND_TIMEOUT_MS = 50
const sent: QueueSendBatchResponse = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `message ${at}`)

/** A queue whose sends end as it is told, in turn; all others succeed. */
class FakeQueue {
  readonly batches: string[][] = []
  readonly #ends: (() => Promise<QueueSendBatchResponse>)[] = []

  refusesNext() {
    this.#ends.push(() => Promise.reject(new TypeError('The queue is full of "secrets".')))
  }

  hangsNext() {
    this.#ends.push(() => new Promise(() => undefined))
  }

  async sendBatch(messages: Iterable<MessageSendRequest<string>>) {
    this.batches.push(Array.from(messages, ({ body }) => body))
    return this.#ends.shift()?.() ?? sent
  }
}

function newSender() {
  const queue = new FakeQueue()
  const failed: string[][] = []
  const log = vi.fn<Log>()
  const parts = { now: Date.now, log, sendTimeoutMs: SEND_TIMEOUT_MS }
  return { queue, failed, log, sender: new Sender(queue, parts, (messages) => failed.push(messages)) }
}

const afterMs = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a sender', () => {
  it('sends pages of 100 in order, one after the other', async () => {
    const { queue, sender, failed } = newSender()
    sender.offer(numbered(250))
    expect(queue.batches).toHaveLength(1)

    await afterMs(0)

    expect(queue.batches.map(({ length }) => length)).toEqual([100, 100, 50])
    expect(queue.batches.flat()).toEqual(numbered(250))
    expect(failed).toEqual([])
  })

  it('sends what comes while it is sending with the next page', async () => {
    const { queue, sender } = newSender()
    sender.offer(['a'])
    sender.offer(['b'])
    sender.offer(['c'])

    await afterMs(0)

    expect(queue.batches).toEqual([['a'], ['b', 'c']])
  })

  it('asks the queue for nothing when there is nothing to send', async () => {
    const { queue, sender } = newSender()
    sender.offer([])
    await afterMs(0)

    expect(queue.batches).toEqual([])
  })

  it('leaves no timer behind once all is sent', async () => {
    const { sender } = newSender()
    sender.offer(['a'])
    await afterMs(0)

    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a send that fails', () => {
  it('gives everything back that is not sent, and pauses', async () => {
    const { queue, sender, failed, log } = newSender()
    queue.refusesNext()
    sender.offer(numbered(250))
    await afterMs(0)

    expect(failed).toEqual([numbered(250)])
    expect(queue.batches).toHaveLength(1)
    expect(sender.pausedUntil).toBe(Date.now() + 1000)
    expect(log).toHaveBeenCalledExactlyOnceWith('queue.send_failed', { messages: 250, error: 'TypeError' })
  })

  it('gives nothing back of what was sent before it', async () => {
    const { queue, sender, failed } = newSender()
    sender.offer(numbered(100))
    queue.refusesNext()
    sender.offer(['late'])
    await afterMs(0)

    expect(failed).toEqual([['late']])
  })

  it('pauses for longer each time, up to a minute, and from the start after a success', async () => {
    const { queue, sender } = newSender()
    const pauses: number[] = []
    for (let time = 1; time <= 8; time++) {
      queue.refusesNext()
      sender.offer(['a'])
      await afterMs(0)
      pauses.push(sender.pausedUntil - Date.now())
    }
    sender.offer(['b'])
    await afterMs(0)
    queue.refusesNext()
    sender.offer(['c'])
    await afterMs(0)

    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
    expect(sender.pausedUntil - Date.now()).toBe(1000)
  })

  it('is followed by sending again', async () => {
    const { queue, sender } = newSender()
    queue.refusesNext()
    sender.offer(['a'])
    await afterMs(0)
    sender.offer(['b'])
    await afterMs(0)

    expect(queue.batches).toEqual([['a'], ['b']])
  })
})

describe('a send that hangs', () => {
  it('is given up in time, with its messages given back, and is followed by sending again', async () => {
    const { queue, sender, failed } = newSender()
    queue.hangsNext()
    sender.offer(['a'])
    sender.offer(['b'])

    await afterMs(SEND_TIMEOUT_MS - 1)
    expect(failed).toEqual([])

    await afterMs(1)
    expect(failed).toEqual([['a', 'b']])
    expect(sender.pausedUntil).toBe(Date.now() + 1000)

    sender.offer(['c'])
    await afterMs(0)
    expect(queue.batches).toEqual([['a'], ['c']])
  })
})
