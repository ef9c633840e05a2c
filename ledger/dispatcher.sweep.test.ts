import { describe, expect, it, vi } from 'vitest'
import { Dispatcher } from './dispatcher.ts'
import type { Runnable } from './release.ts'

const SWEEP_MS = 10_000
const start = 1_000_000

const job = (id: string, model = 'embedded/extract-1'): Runnable => ({
  id,
  kind: 'summarize',
  model,
  attempt: 0,
  lostLeases: 0,
  inputRef: null,
})

/** A queue whose consumers are as far behind as it is told. */
class FakeQueue {
  /** Time of the oldest message in it; null when it is empty. */
  oldest: number | null = null
  metricsFail = false

  async sendBatch() {
    return { metadata: { metrics: await this.metrics() } }
  }

  async metrics() {
    if (this.metricsFail) throw new Error('No metrics.')
    const oldest = this.oldest === null ? {} : { oldestMessageTimestamp: new Date(this.oldest) }
    return { backlogCount: 0, backlogBytes: 0, ...oldest }
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
  const parts = { now: () => start, log: () => undefined, sendTimeoutMs: 50 }
  return { dispatcher: new Dispatcher(queues, parts, SWEEP_MS, onFreed), queues, onFreed }
}

/** Dispatches a job in vain that many times; answers how long each mark stood before it was given up. */
async function vainIntervals({ dispatcher }: ReturnType<typeof newDispatcher>, times: number) {
  const intervals: number[] = []
  for (let at = start; intervals.length < times; ) {
    dispatcher.dispatch('acme', [job('a')], at)
    const lookAt = dispatcher.nextSweepAt() ?? at
    await dispatcher.sweep(lookAt)
    expect(dispatcher.has('a')).toBe(false)
    intervals.push(lookAt - at)
    at = lookAt
  }
  return intervals
}

describe('a mark', () => {
  it('is put off while the queue is asked about its backlog', () => {
    const { dispatcher, queues } = newDispatcher()
    queues.jobs.metrics = () => new Promise(() => undefined)
    dispatcher.dispatch('acme', [job('a')], start)

    void dispatcher.sweep(start + SWEEP_MS)

    expect(dispatcher.nextSweepAt()).toBe(start + 2 * SWEEP_MS)
  })

  it('stands while its own message may be the oldest in the queue', async () => {
    const { dispatcher, queues } = newDispatcher()
    dispatcher.dispatch('acme', [job('a')], start)
    queues.jobs.oldest = start + 5

    await dispatcher.sweep(start + SWEEP_MS)

    expect(dispatcher.has('a')).toBe(true)
  })

  it('stands until its time has come', async () => {
    const { dispatcher } = newDispatcher()
    dispatcher.dispatch('acme', [job('a')], start)
    await dispatcher.sweep(start + SWEEP_MS - 1)

    expect(dispatcher.has('a')).toBe(true)
  })

  it('is given up at growing intervals', async () => {
    const intervals = await vainIntervals(newDispatcher(), 9)

    expect(intervals).toEqual([1, 2, 4, 8, 16, 32, 64, 64, 64].map((times) => times * SWEEP_MS))
  })

  it('starts from the first interval again after a claim', async () => {
    const parts = newDispatcher()
    await vainIntervals(parts, 4)
    parts.dispatcher.free('a', true)

    expect(await vainIntervals(parts, 1)).toEqual([SWEEP_MS])
  })

  it('is not given up while its queue is behind', async () => {
    const { dispatcher, queues } = newDispatcher()
    dispatcher.dispatch('acme', [job('a'), job('slow', 'test/slow')], start)
    queues.jobs.oldest = start - 1
    queues['jobs-slow'].oldest = start + SWEEP_MS / 2
    await dispatcher.sweep(start + SWEEP_MS)

    expect([dispatcher.has('a'), dispatcher.has('slow')]).toEqual([true, false])
    expect(dispatcher.nextSweepAt()).toBe(start + 2 * SWEEP_MS)
  })

  it('is given up once its queue has caught up, after no more than one interval', async () => {
    const { dispatcher, queues } = newDispatcher()
    dispatcher.dispatch('acme', [job('a')], start)
    queues.jobs.oldest = start - 1
    await dispatcher.sweep(start + SWEEP_MS)
    queues.jobs.oldest = null
    await dispatcher.sweep(start + 2 * SWEEP_MS)

    expect(dispatcher.has('a')).toBe(false)
  })

  it('is given up when the queue cannot tell how far behind it is', async () => {
    const { dispatcher, queues } = newDispatcher()
    dispatcher.dispatch('acme', [job('a')], start)
    queues.jobs.metricsFail = true
    await dispatcher.sweep(start + SWEEP_MS)

    expect(dispatcher.has('a')).toBe(false)
  })

  it('that was set anew during a sweep stands', async () => {
    const { dispatcher } = newDispatcher()
    dispatcher.dispatch('acme', [job('a')], start)
    const sweeping = dispatcher.sweep(start + SWEEP_MS)
    dispatcher.free('a', true)
    dispatcher.dispatch('acme', [job('a')], start + SWEEP_MS)
    await sweeping

    expect(dispatcher.has('a')).toBe(true)
  })

  it('outlives the memory with its history', async () => {
    const [before, after] = [newDispatcher(), newDispatcher()]
    await vainIntervals(before, 2)
    before.dispatcher.dispatch('acme', [job('a')], start)
    const marks = JSON.parse(JSON.stringify(before.dispatcher.state()))
    after.dispatcher.restore(marks, start + 9 * SWEEP_MS)
    expect(after.dispatcher.nextSweepAt()).toBe(start + 4 * SWEEP_MS)

    await after.dispatcher.sweep(start + 4 * SWEEP_MS)

    expect(await vainIntervals(after, 1)).toEqual([8 * SWEEP_MS])
  })
})

describe('a mark of an earlier life', () => {
  it('is looked at soon, however long it would have stood', () => {
    const { dispatcher } = newDispatcher()
    const mark = { at: start, lookAt: start + 64 * SWEEP_MS, tries: 6, queue: 'jobs' as const }

    dispatcher.restore({ a: mark }, start + SWEEP_MS)

    expect(dispatcher.nextSweepAt()).toBe(start + SWEEP_MS)
  })
})

describe('a sweep', () => {
  it('says so when it is done, since jobs may be free', async () => {
    const { dispatcher, onFreed } = newDispatcher()
    await dispatcher.sweep(start)

    expect(onFreed).toHaveBeenCalledOnce()
  })
})
