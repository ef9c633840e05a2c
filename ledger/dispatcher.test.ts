import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Dispatcher } from './dispatcher.ts'
import { type JobQueue, jobQueues } from './lanes.ts'
import type { JobMessage } from './messages.ts'
import type { Runnable } from './release.ts'

const SWEEP_MS = 10_000
const start = 1_000_000

const job = (id: string, rest: Partial<Runnable> = {}): Runnable => ({
  id,
  kind: 'summarize',
  model: 'embedded/extract-1',
  attempt: 0,
  lostLeases: 0,
  inputRef: null,
  ...rest,
})

class FakeQueue {
  readonly sent: JobMessage[] = []
  refuses = false

  async sendBatch(messages: Iterable<MessageSendRequest<JobMessage>>) {
    if (this.refuses) throw new Error('The queue refuses.')
    this.sent.push(...Array.from(messages, ({ body }) => body))
    return { metadata: { metrics: await this.metrics() } }
  }

  async metrics() {
    return { backlogCount: 0, backlogBytes: 0 }
  }
}

function newDispatcher() {
  const queues = {
    jobs: new FakeQueue(),
    'jobs-bulk': new FakeQueue(),
    'jobs-slow': new FakeQueue(),
    'jobs-solo': new FakeQueue(),
  }
  const onFreed = vi.fn()
  const parts = { now: Date.now, log: () => undefined, sendTimeoutMs: 50 }
  const dispatcher = new Dispatcher(queues, parts, SWEEP_MS, onFreed)
  const sentTo = () => jobQueues.map((queue) => queues[queue].sent.map(({ job_id }) => job_id))
  return { dispatcher, queues, onFreed, sentTo }
}

const sendingEnds = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => {
  vi.useFakeTimers({ now: start })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a dispatch', () => {
  it('sends a reference to the next attempt, and marks the job', async () => {
    const { dispatcher, queues } = newDispatcher()
    dispatcher.dispatch('acme', [job('a', { attempt: 2, inputRef: 't/acme/in/1' })], start)
    await sendingEnds()

    expect(queues.jobs.sent).toEqual([
      { v: 1, tenant_id: 'acme', job_id: 'a', kind: 'summarize', attempt: 3, input_ref: 't/acme/in/1' },
    ])
    expect([dispatcher.has('a'), dispatcher.has('b'), dispatcher.size]).toEqual([true, false, 1])
    expect(dispatcher.nextSweepAt()).toBe(start + SWEEP_MS)
  })

  it.each<[string, Partial<Runnable>, JobQueue]>([
    ['of a common model goes to jobs', {}, 'jobs'],
    ['of a slow model goes to jobs-slow', { model: 'test/slow' }, 'jobs-slow'],
    ['that lost a lease goes to jobs-solo', { lostLeases: 1 }, 'jobs-solo'],
    [
      'of a slow model that lost a lease goes to jobs-solo',
      { model: 'test/slow', lostLeases: 2 },
      'jobs-solo',
    ],
    ['of a model that is gone goes to jobs', { model: 'gone/1' }, 'jobs'],
  ])('%s', async (_, rest, queue) => {
    const { dispatcher, sentTo } = newDispatcher()
    dispatcher.dispatch('acme', [job('a', rest)], start)
    await sendingEnds()

    expect(sentTo()).toEqual(jobQueues.map((name) => (name === queue ? ['a'] : [])))
  })

  it.each<[string, Partial<Runnable>, JobQueue]>([
    ['of a common model goes to jobs-bulk', {}, 'jobs-bulk'],
    ['of a slow model goes to jobs-slow as ever', { model: 'test/slow' }, 'jobs-slow'],
    ['that lost a lease goes to jobs-solo as ever', { lostLeases: 1 }, 'jobs-solo'],
  ])('out of a crowd, %s', async (_, rest, queue) => {
    const { dispatcher, sentTo } = newDispatcher()
    dispatcher.dispatch('acme', [job('a', rest)], start, true)
    await sendingEnds()

    expect(sentTo()).toEqual(jobQueues.map((name) => (name === queue ? ['a'] : [])))
  })

  it('that fails frees its jobs, and those of no other queue', async () => {
    const { dispatcher, queues, onFreed } = newDispatcher()
    queues['jobs-slow'].refuses = true
    dispatcher.dispatch('acme', [job('a'), job('slow', { model: 'test/slow' })], start)
    await sendingEnds()

    expect([dispatcher.has('a'), dispatcher.has('slow')]).toEqual([true, false])
    expect(onFreed).toHaveBeenCalledOnce()
    expect(dispatcher.pausedUntil).toBe(start + 1000)
  })
})

describe('a mark', () => {
  it('is gone once its job was claimed, or its message was of no use', () => {
    const { dispatcher } = newDispatcher()
    dispatcher.dispatch('acme', [job('a'), job('b'), job('c')], start)
    dispatcher.free('a', true)
    dispatcher.free('b', false)

    expect([dispatcher.size, dispatcher.has('c')]).toEqual([1, true])
  })

  it('that is gone leaves nothing to look at', () => {
    const { dispatcher } = newDispatcher()
    dispatcher.dispatch('acme', [job('a')], start)
    dispatcher.free('a', true)

    expect(dispatcher.nextSweepAt()).toBeNull()
  })
})
