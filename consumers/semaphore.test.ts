import { describe, expect, it } from 'vitest'
import { Semaphore } from './semaphore.ts'

/** Bodies that run until they are told to end, and who runs at the moment. */
function newTrack(semaphore: Semaphore) {
  const running: string[] = []
  const ends = new Map<string, { done: () => void; fail: (error: Error) => void }>()
  const start = (name: string) =>
    semaphore.run(async () => {
      running.push(name)
      try {
        await new Promise<void>((done, fail) => ends.set(name, { done, fail }))
      } finally {
        running.splice(running.indexOf(name), 1)
      }
      return name
    })
  const settled = () => new Promise((resolve) => setTimeout(resolve, 0))
  const end = async (name: string) => {
    ends.get(name)?.done()
    await settled()
  }
  const fail = async (name: string) => {
    ends.get(name)?.fail(new Error(`${name} failed`))
    await settled()
  }
  return { running, start, end, fail }
}

describe('a semaphore', () => {
  it('runs as many bodies at once as it has slots, in the order of their coming', async () => {
    const { running, start, end } = newTrack(new Semaphore(2))
    const all = ['a', 'b', 'c', 'd'].map(start)
    expect(running).toEqual(['a', 'b'])

    await end('b')
    expect(running).toEqual(['a', 'c'])

    await end('a')
    await end('c')
    await end('d')
    expect(running).toEqual([])
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('gives the slot of a body that fails to the next, and hands the failure on', async () => {
    const { running, start, end, fail } = newTrack(new Semaphore(1))
    const failing = start('a').catch((error: Error) => error.message)
    const next = start('b')
    await fail('a')

    expect(running).toEqual(['b'])
    await end('b')
    expect([await failing, await next]).toEqual(['a failed', 'b'])
  })

  it('has all its slots again afterwards, and no more', async () => {
    const semaphore = new Semaphore(2)
    await Promise.allSettled(
      Array.from({ length: 9 }, (_, at) =>
        semaphore.run(() => (at % 2 ? Promise.reject() : Promise.resolve())),
      ),
    )
    const { running, start } = newTrack(semaphore)
    for (const name of ['a', 'b', 'c']) void start(name)

    expect(running).toEqual(['a', 'b'])
  })

  it('gives its slot back when a body throws at once', async () => {
    const semaphore = new Semaphore(1)
    const throwing = semaphore.run(() => {
      throw new Error('at once')
    })

    await expect(throwing).rejects.toThrow('at once')
    expect(await semaphore.run(async () => 'next')).toBe('next')
  })
})
