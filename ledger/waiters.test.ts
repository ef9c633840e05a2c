import { describe, expect, it } from 'vitest'
import { patiently, Waiters } from './waiters.ts'

/** A clock that moves by hand. */
function clock() {
  let now = 1000
  const timers = new Set<{ at: number; run: () => void }>()
  const later = (run: () => void, ms: number) => {
    const timer = { at: now + ms, run }
    timers.add(timer)
    return () => void timers.delete(timer)
  }
  const pass = (ms: number) => {
    now += ms
    for (const timer of [...timers].filter(({ at }) => at <= now)) {
      timers.delete(timer)
      timer.run()
    }
  }
  return { parts: { now: () => now, later }, pass, timers }
}

async function hasEnded(wait: Promise<void> | null): Promise<boolean> {
  return Promise.race([
    wait?.then(() => true),
    new Promise<false>((resolve) => setTimeout(resolve, 0, false)),
  ]) as Promise<boolean>
}

let calls = 0
/** The patience of another call each time. */
const until = (at: number) => ({ until: at, waiter: `call ${++calls}` })

const no = () => false
const yes = () => true
const broken = () => {
  throw new Error('no table')
}

describe('a call that waits', () => {
  it.each([
    ['ends when it is woken and there is news', yes, true],
    ['goes on when it is woken for something else', no, false],
    ['ends when it cannot be told whether there is news', broken, true],
  ])('%s', async (_, hasNews, ended) => {
    const { parts, timers } = clock()
    const waiters = new Waiters(1, parts)

    const wait = waiters.wait(until(2000), hasNews)
    waiters.wake()

    expect(await hasEnded(wait)).toBe(ended)
    expect(timers.size).toBe(ended ? 0 : 1)
  })

  it.each([
    [999, false],
    [1000, true],
  ])('after %i ms without news has ended: %s', async (ms, ended) => {
    const { parts, pass } = clock()

    const wait = new Waiters(1, parts).wait(until(2000), no)
    pass(ms)

    expect(await hasEnded(wait)).toBe(ended)
  })

  it('ends at once when its time has passed', async () => {
    const { parts, pass } = clock()

    const wait = new Waiters(1, parts).wait(until(500), no)
    pass(0)

    expect(await hasEnded(wait)).toBe(true)
  })

  it('is asked about its news when woken, and only then; of many wakings at once by the last at the latest', () => {
    const { parts, pass } = clock()
    const waiters = new Waiters(1, parts)
    let asked = 0
    waiters.wait(until(2000), () => ++asked > 2)

    for (let at = 0; at < 5; at++) waiters.wake()
    expect(asked).toBe(1)
    pass(100)
    expect(asked).toBe(2)
    pass(500)
    expect(asked).toBe(2)
    for (let at = 0; at < 5; at++) waiters.wake()
    expect(asked).toBe(3)
  })

  it('ends at once when its caller has gone, and leaves the others waiting', async () => {
    const { parts, timers } = clock()
    const waiters = new Waiters(2, parts)
    const [gone, other] = [until(2000), until(2000)]
    const [wait, others] = [waiters.wait(gone, no), waiters.wait(other, no)]

    waiters.leave(gone.waiter)
    waiters.leave(gone.waiter)
    waiters.leave('nobody')

    expect([await hasEnded(wait), await hasEnded(others)]).toEqual([true, false])
    expect(timers.size).toBe(1)
    expect(waiters.wait(until(2000), no)).not.toBeNull()
  })

  it('leaves its place to another when it ends', () => {
    const { parts, pass } = clock()
    const waiters = new Waiters(2, parts)

    expect(waiters.wait(until(2000), yes)).not.toBeNull()
    expect(waiters.wait(until(3000), no)).not.toBeNull()
    expect(waiters.wait(until(2000), no)).toBeNull()
    waiters.wake()
    expect(waiters.wait(until(4000), no)).not.toBeNull()
    expect(waiters.wait(until(4000), no)).toBeNull()
    pass(2000)
    expect(waiters.wait(until(4000), no)).not.toBeNull()
  })
})

describe('reading patiently', () => {
  const isBare = (answer: string) => answer === 'nothing'
  const reading = (...answers: string[]) => {
    const asked: boolean[] = []
    const read = (isAgain: boolean) => {
      asked.push(isAgain)
      return answers[asked.length - 1] ?? 'too often'
    }
    return { read, asked }
  }
  const unwanted = () => {
    throw new Error('Not to be waited.')
  }

  it('answers at once what is there', async () => {
    const { read, asked } = reading('something')

    expect(await patiently(read, isBare, unwanted)).toEqual({ answer: 'something', patient: true })
    expect(asked).toEqual([false])
  })

  it.each([['something'], ['nothing']])('answers after the wait what is there then: %s', async (then) => {
    const { read, asked } = reading('nothing', then)

    expect(await patiently(read, isBare, async () => undefined)).toEqual({ answer: then, patient: true })
    expect(asked).toEqual([false, true])
  })

  it('answers at once when there is no place to wait', async () => {
    const { read, asked } = reading('nothing')

    expect(await patiently(read, isBare, () => null)).toEqual({ answer: 'nothing', patient: false })
    expect(asked).toEqual([false])
  })
})
