import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Tried } from './submit.ts'
import { UnderWay } from './under-way.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Submissions of these chunks, each of which ends when it is told to. */
function begun(...chunks: number[]) {
  const submissions = new UnderWay()
  const ends = chunks.map((chunk) => {
    const { promise, resolve, reject } = Promise.withResolvers<Tried>()
    submissions.begin(chunk, promise)
    return { resolve, reject }
  })
  return { submissions, ends }
}

/** Whether it has come about so far. */
async function isDone(work: Promise<unknown>): Promise<boolean> {
  const state = { done: false }
  work.then(
    () => {
      state.done = true
    },
    () => undefined,
  )
  await vi.advanceTimersByTimeAsync(0)
  return state.done
}

describe('submissions under way', () => {
  it('stand until they have ended, with when each may be tried again', async () => {
    const { submissions, ends } = begun(3, 4)
    expect(submissions.standing()).toEqual({ underWay: [3, 4], putOff: [] })

    ends[0]?.resolve({ notBefore: 77 })
    ends[1]?.resolve(null)
    await submissions.allEnded()

    expect(submissions.standing()).toEqual({ underWay: [], putOff: [[3, 77]] })
  })

  it('that come to something are put off no more', async () => {
    const { submissions, ends } = begun(3)
    ends[0]?.resolve({ notBefore: 77 })
    await submissions.allEnded()

    submissions.begin(3, Promise.resolve(null))
    await submissions.allEnded()

    expect(submissions.standing()).toEqual({ underWay: [], putOff: [] })
  })

  it('are waited for until one has ended', async () => {
    const { submissions, ends } = begun(3, 4)
    const waited = submissions.oneEnded(2000)
    expect(await isDone(waited)).toBe(false)

    ends[1]?.resolve(null)

    expect(await isDone(waited)).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('are waited for so long at the most where all hang', async () => {
    const { submissions } = begun(3, 4)
    const waited = submissions.oneEnded(2000)
    await vi.advanceTimersByTimeAsync(1999)
    expect(await isDone(waited)).toBe(false)

    await vi.advanceTimersByTimeAsync(1)

    expect(await isDone(waited)).toBe(true)
  })

  it('are not waited for where there are none', async () => {
    expect(await isDone(new UnderWay().oneEnded(2000))).toBe(true)
  })

  it('of which one fails for good end the instance, once the others have told what became of theirs', async () => {
    const { submissions, ends } = begun(3, 4)
    ends[0]?.reject(new Error('for good'))
    await submissions.oneEnded(2000)
    const thrown = expect(submissions.throwFaults()).rejects.toThrow('for good')
    expect(submissions.standing().underWay).toEqual([4])

    ends[1]?.resolve(null)

    await thrown
    expect(submissions.standing().underWay).toEqual([])
  })
})
