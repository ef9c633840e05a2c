import { describe, expect, it, vi } from 'vitest'
import { CHUNK_BYTES, forAnswer, whileSending } from './memory.ts'

const HALF = CHUNK_BYTES / 2

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
    const [first, second] = [sending(CHUNK_BYTES), sending(1)]
    await vi.waitFor(() => expect(first.state.runs).toBe(true))

    const letGo = await forAnswer(HALF, soon())
    expect(second.state.runs).toBe(false)
    await expect(forAnswer(1, soon())).rejects.toThrow()

    first.state.end()
    await first.sent
    second.state.end()
    await second.sent
    const others = await Promise.all([1, 2].map(() => forAnswer(HALF / 2, soon())))
    for (const end of [letGo, ...others]) end()
  })
})
