import { describe, expect, it, vi } from 'vitest'
import { forAnswer, whileSending } from './memory.ts'

const MEBIBYTE = 1024 * 1024

/** Sends until it is told to end. */
function sending(bytes: number) {
  const state = { runs: false, end: () => {} }
  const ended = new Promise<void>((resolve) => {
    state.end = resolve
  })
  const sent = whileSending(bytes, () => {
    state.runs = true
    return ended
  })
  return { state, sent }
}

const soon = () => AbortSignal.timeout(500)

describe('the memory for chunks', () => {
  it('is theirs together: what is sent may have half, and what is answered the rest', async () => {
    const [first, second] = [sending(20 * MEBIBYTE), sending(MEBIBYTE)]
    await vi.waitFor(() => expect(first.state.runs).toBe(true))

    const letGo = await forAnswer(8 * MEBIBYTE, soon())
    expect(second.state.runs).toBe(false)
    await expect(forAnswer(MEBIBYTE, soon())).rejects.toThrow()

    first.state.end()
    await first.sent
    second.state.end()
    await second.sent
    const others = await Promise.all([4, 4].map((size) => forAnswer(size * MEBIBYTE, soon())))
    for (const end of [letGo, ...others]) end()
  })
})
