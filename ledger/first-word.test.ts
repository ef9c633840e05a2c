import { describe, expect, it } from 'vitest'
import { FirstWord } from './first-word.ts'

/** A directory that answers when it is told to. */
function directory() {
  let asked = 0
  let answer: () => void = () => undefined
  const ask = () => {
    asked++
    return new Promise<void>((resolve) => {
      answer = resolve
    })
  }
  return { ask, answer: () => answer(), asked: () => asked }
}

describe('the first word of the directory', () => {
  it('is asked for once, however many wait for it', async () => {
    const { ask, answer, asked } = directory()
    const word = new FirstWord(ask)

    const waiting = [word.wait(), word.wait()]
    expect([asked(), word.isHeard]).toEqual([1, false])
    answer()
    await Promise.all(waiting)
    await word.wait()

    expect([asked(), word.isHeard]).toEqual([1, true])
  })

  it('is not asked for where it has come by another way', async () => {
    const { ask, asked } = directory()
    const word = new FirstWord(ask)

    word.heard()
    await word.wait()

    expect([asked(), word.isHeard]).toEqual([0, true])
  })

  it('is not waited for when the directory fails', async () => {
    const word = new FirstWord(() => Promise.reject(new Error('D1_ERROR')))

    await word.wait()

    expect(word.isHeard).toBe(true)
  })
})
