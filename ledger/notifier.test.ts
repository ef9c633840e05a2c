import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CallbackMessage } from './messages.ts'
import { Notifier } from './notifier.ts'

const start = 1_000_000
/** A drain that has not ended by then is taken for dead. */
const DRAIN_MS = 40_000
/** A queue that refused is left alone for this long at first. */
const PAUSE_MS = 1000

class FakeQueue {
  readonly sent: CallbackMessage[] = []
  refuses = false

  async sendBatch(messages: Iterable<MessageSendRequest<CallbackMessage>>) {
    if (this.refuses) throw new Error('The queue refuses.')
    this.sent.push(...Array.from(messages, ({ body }) => body))
    return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
  }
}

function newNotifier() {
  const queue = new FakeQueue()
  const onFailed = vi.fn()
  const notifier = new Notifier(queue, { now: Date.now, log: () => undefined, sendTimeoutMs: 50 }, onFailed)
  const told = () => queue.sent.map(({ endpoint_id }) => endpoint_id)
  return { queue, notifier, onFailed, told }
}

const owed = (...endpoints: string[]) => endpoints.map((endpointId) => ({ endpointId, at: start }))

const sendingEnds = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => {
  vi.useFakeTimers({ now: start })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('an endpoint with deliveries due', () => {
  it('gets one message, which names it and no more', async () => {
    const { notifier, queue } = newNotifier()
    notifier.notify('acme', owed('we_1', 'we_2'), start)
    await sendingEnds()

    expect(queue.sent).toEqual([
      { v: 1, tenant_id: 'acme', endpoint_id: 'we_1' },
      { v: 1, tenant_id: 'acme', endpoint_id: 'we_2' },
    ])
  })

  it('gets no second message while it is being drained', async () => {
    const { notifier, told } = newNotifier()
    notifier.notify('acme', owed('we_1'), start)
    notifier.notify('acme', owed('we_1', 'we_2'), start + DRAIN_MS - 1)
    await sendingEnds()

    expect(told()).toEqual(['we_1', 'we_2'])
  })

  it('gets another message once its drain has ended', async () => {
    const { notifier, told } = newNotifier()
    notifier.notify('acme', owed('we_1'), start)
    notifier.ended('we_1')
    notifier.notify('acme', owed('we_1'), start + 1)
    await sendingEnds()

    expect(told()).toEqual(['we_1', 'we_1'])
  })

  it('gets another message when its drain is taken for dead', async () => {
    const { notifier, told } = newNotifier()
    notifier.notify('acme', owed('we_1'), start)
    notifier.notify('acme', owed('we_1'), start + DRAIN_MS)
    await sendingEnds()

    expect(told()).toEqual(['we_1', 'we_1'])
  })

  it('is free again, and says so, when its message could not be sent', async () => {
    const { notifier, queue, onFailed, told } = newNotifier()
    queue.refuses = true
    notifier.notify('acme', owed('we_1'), start)
    await sendingEnds()
    expect(onFailed).toHaveBeenCalledOnce()

    queue.refuses = false
    notifier.notify('acme', owed('we_1'), start + PAUSE_MS)
    await sendingEnds()

    expect(told()).toEqual(['we_1'])
  })

  it('waits while the queue refuses, without being taken for drained', async () => {
    const { notifier, queue, told } = newNotifier()
    queue.refuses = true
    notifier.notify('acme', owed('we_1'), start)
    await sendingEnds()

    queue.refuses = false
    notifier.notify('acme', owed('we_1', 'we_2'), start + PAUSE_MS - 1)
    await sendingEnds()

    expect(told()).toEqual([])
    expect(notifier.wakeAt({ endpointId: 'we_2', at: start })).toBe(start + PAUSE_MS)
  })
})

describe('the time to look at an endpoint', () => {
  it('is when its delivery is due, but not while a drain is on its way', () => {
    const { notifier } = newNotifier()
    notifier.notify('acme', owed('we_1'), start)

    expect(notifier.wakeAt({ endpointId: 'we_1', at: start })).toBe(start + DRAIN_MS)
    expect(notifier.wakeAt({ endpointId: 'we_1', at: start + 90_000 })).toBe(start + 90_000)
    expect(notifier.wakeAt({ endpointId: 'we_2', at: start })).toBe(start)
  })
})
