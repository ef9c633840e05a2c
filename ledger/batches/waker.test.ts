import { beforeEach, describe, expect, it } from 'vitest'
import type { BatchMessage } from '../messages.ts'
import { Waker } from './waker.ts'

const GRACE_MS = 1000
let now = 0
let sent: string[] = []
let broken = false
let waker: Waker

const queue = {
  async sendBatch(messages: Iterable<{ body: BatchMessage }>) {
    if (broken) throw new Error('The queue is down.')
    for (const { body } of messages) sent.push(body.batch_id)
  },
} as unknown as Queue<BatchMessage>

const turn = () => new Promise((resolve) => setTimeout(resolve, 0))

async function reminded(...batches: [id: string, dueAt: number | null][]): Promise<string[]> {
  sent = []
  waker.remind(
    'acme',
    batches.map(([id, dueAt]) => ({ id, dueAt })),
    now,
  )
  await turn()
  return sent
}

beforeEach(() => {
  now = 10_000
  sent = []
  broken = false
  const parts = { now: () => now, log: () => undefined, sendTimeoutMs: 10 }
  waker = new Waker(queue, parts, GRACE_MS, () => undefined)
})

describe('a batch whose Workflow is silent', () => {
  it('is told of once, and again when that came to nothing', async () => {
    expect(await reminded(['a', now], ['b', now + 1], ['c', null])).toEqual(['a'])
    expect(waker.wakeAt({ id: 'a', dueAt: now })).toBe(now + GRACE_MS)
    expect(waker.wakeAt({ id: 'b', dueAt: now + 1 })).toBe(now + 1)
    now += GRACE_MS - 1
    expect(await reminded(['a', 10_000])).toEqual([])
    now += 1
    expect(await reminded(['a', 10_000])).toEqual(['a'])
  })

  it('is told of at once when it has shown itself in between', async () => {
    await reminded(['a', now])
    await reminded(['a', now + 5])
    now += 5

    expect(await reminded(['a', now])).toEqual(['a'])
  })

  it('is told of again when the queue did not take it, after a pause', async () => {
    broken = true
    await reminded(['a', now])
    broken = false
    expect(await reminded(['a', now])).toEqual([])
    now = waker.wakeAt({ id: 'a', dueAt: 10_000 })

    expect(await reminded(['a', 10_000])).toEqual(['a'])
  })
})

describe('a batch with something new', () => {
  it('is told of whenever it is', async () => {
    waker.wake('acme', ['a', 'b'])
    waker.wake('acme', ['a'])
    await turn()

    expect(sent).toEqual(['a', 'b', 'a'])
  })
})
