import { describe, expect, it } from 'vitest'
import { type AskedQueue, queueStates } from './queue-states.ts'

const at = Date.parse('2026-11-30T10:00:00.000Z')
const never = () => new Promise<never>(() => {})
const told = (backlogCount: number, oldestMessageTimestamp?: Date): AskedQueue[1] => ({
  metrics: async () => ({
    backlogCount,
    backlogBytes: 0,
    ...(oldestMessageTimestamp && { oldestMessageTimestamp }),
  }),
})

describe('how full the queues are', () => {
  it('is told in their order', async () => {
    const queues: AskedQueue[] = [
      ['jobs', told(3, new Date(at))],
      ['batches', told(0)],
    ]

    expect(await queueStates(queues, never)).toEqual([
      { queue: 'jobs', messages: 3, oldestAt: at },
      { queue: 'batches', messages: 0, oldestAt: null },
    ])
  })

  it('is not known of those that fail, take too long or are not bound', async () => {
    const failing = { metrics: () => Promise.reject(new Error('overloaded')) }
    const queues: AskedQueue[] = [
      ['failing', failing],
      ['late', { metrics: never }],
      ['unbound', undefined],
      ['jobs', told(1)],
    ]

    const states = await queueStates(queues, () => new Promise((resolve) => setTimeout(resolve, 20)))

    expect(states).toEqual([{ queue: 'jobs', messages: 1, oldestAt: null }])
  })

  it('is asked of five at once and no more', async () => {
    let [asked, most] = [0, 0]
    const counting = {
      async metrics() {
        asked += 1
        most = Math.max(most, asked)
        await new Promise((resolve) => setTimeout(resolve, 1))
        asked -= 1
        return { backlogCount: 0, backlogBytes: 0 }
      },
    }
    const queues = Array.from({ length: 12 }, (_, nth): AskedQueue => [`q${nth}`, counting])

    expect(await queueStates(queues, never)).toHaveLength(12)
    expect(most).toBe(5)
  })
})
