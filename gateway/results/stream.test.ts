import { describe, expect, it } from 'vitest'
import { streamOf } from './stream.ts'

const faultless = (fault: unknown) => {
  throw fault
}

async function* repeating(piece: string, times: number, onEnd: () => void) {
  try {
    for (let at = 0; at < times; at++) yield new TextEncoder().encode(piece)
  } finally {
    onEnd()
  }
}

describe('a stream of pieces', () => {
  it('holds all of them, in few', async () => {
    const reader = streamOf(
      repeating('0123456789', 20_000, () => null),
      faultless,
    ).getReader()
    const sizes: number[] = []
    for (let read = await reader.read(); !read.done; read = await reader.read()) sizes.push(read.value.length)

    expect(sizes.reduce((sum, size) => sum + size)).toBe(200_000)
    expect(sizes.length).toBeLessThan(5)
  })

  it('ends what gives them when its reader goes away', async () => {
    let ended = false
    const stream = streamOf(
      repeating('x'.repeat(100_000), 1000, () => {
        ended = true
      }),
      faultless,
    )
    const reader = stream.getReader()
    await reader.read()

    await reader.cancel()

    expect(ended).toBe(true)
  })

  it('begins nothing before it is read', async () => {
    let begun = false
    async function* noting() {
      begun = true
      yield new Uint8Array(1)
    }
    const stream = streamOf(noting(), faultless)
    await new Promise((resolve) => setTimeout(resolve))

    expect(begun).toBe(false)
    expect((await stream.getReader().read()).value).toHaveLength(1)
    expect(begun).toBe(true)
  })

  it('is empty where there are none', async () => {
    expect(
      await new Response(
        streamOf(
          repeating('', 0, () => null),
          faultless,
        ),
      ).text(),
    ).toBe('')
  })

  it('breaks off where these do, as a lost connection does, and tells why', async () => {
    const faults: unknown[] = []
    const fault = new Error('Here is an answer.')
    async function* failing() {
      yield new Uint8Array(100_000)
      throw fault
    }
    const reader = streamOf(failing(), (it) => faults.push(it)).getReader()
    await reader.read()

    await expect(reader.read()).rejects.toMatchObject({ name: 'BrokenOff', message: '', retryable: true })
    expect(faults).toEqual([fault])
  })
})
