import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StreamError } from './errors.ts'
import { ndjson } from './ndjson.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** A stream of these pieces, then an end or a fault; counts what was taken. */
function streamed(pieces: readonly Uint8Array[], fault?: Error) {
  const seen = { pulled: 0, cancelled: false }
  const source = {
    pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      const piece = pieces[seen.pulled]
      seen.pulled += 1
      if (piece) controller.enqueue(piece)
      else if (fault) controller.error(fault)
      else controller.close()
    },
    cancel() {
      seen.cancelled = true
    },
  }
  return { stream: new ReadableStream(source, { highWaterMark: 0 }), seen }
}

async function read(stream: ReadableStream<Uint8Array>): Promise<unknown[]> {
  const values: unknown[] = []
  for await (const value of ndjson(stream)) values.push(value)
  return values
}

/** The bytes, cut at these places. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const borders = [
    0,
    ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b),
    bytes.length,
  ]
  return borders.slice(1).map((end, at) => bytes.subarray(borders[at], end))
}

describe('lines of JSON', () => {
  it('are the same wherever the stream is cut, amid a character included', async () => {
    const texts = fc.string({ unit: 'binary' })
    const values = fc.array(fc.record({ text: texts, list: fc.array(fc.integer()) }))
    await fc.assert(
      fc.asyncProperty(values, fc.array(fc.nat()), fc.boolean(), async (all, places, ends) => {
        const text = all.map((value) => JSON.stringify(value)).join('\n') + (ends ? '\n' : '')
        expect(await read(streamed(cut(bytesOf(text), places)).stream)).toEqual(all)
      }),
    )
  })

  it('are the same one byte at a time', async () => {
    const bytes = bytesOf('{"a":"人間 👍"}\r\n\n{"b":"\\n"}\n')

    expect(await read(streamed([...bytes].map((byte) => Uint8Array.of(byte))).stream)).toEqual([
      { a: '人間 👍' },
      { b: '\n' },
    ])
  })

  it('may be none', async () => {
    expect(await read(streamed([]).stream)).toEqual([])
  })

  it('come as soon as they are whole, and no faster than they are used', async () => {
    const pieces = ['{"n":1}\n{"n', '":2}\n', '{"n":3}\n'].map(bytesOf)
    const { stream, seen } = streamed(pieces)
    const lines = ndjson(stream)

    expect((await lines.next()).value).toEqual({ n: 1 })
    expect(seen.pulled).toBe(1)
    expect((await lines.next()).value).toEqual({ n: 2 })
    expect(seen.pulled).toBe(2)
  })

  it('let go of the stream when their reader stops early', async () => {
    const { stream, seen } = streamed(['{"n":1}\n', '{"n":2}\n'].map(bytesOf))

    for await (const _ of ndjson(stream)) break

    expect(seen.cancelled).toBe(true)
  })

  it.each([
    ['ends amid a line', '{"n":1}\n{"n":', 'Line 2 is not JSON'],
    ['holds something else', '{"n":1}\n<html>\n', 'Line 2 is not JSON'],
  ])('end with an error where the stream %s', async (_, text, message) => {
    const lines = ndjson(streamed([bytesOf(text)]).stream)

    expect((await lines.next()).value).toEqual({ n: 1 })
    await expect(lines.next()).rejects.toThrow(message)
  })

  it.each([
    ['is not UTF-8', [Uint8Array.of(0x22, 0xff, 0x22)]],
    ['ends amid a character', [Uint8Array.of(0x22, 0xe4, 0xba)]],
  ])('end with an error where the stream %s', async (_, pieces) => {
    await expect(read(streamed(pieces).stream)).rejects.toBeInstanceOf(StreamError)
  })

  it('end with the error of the stream, after what came before', async () => {
    const lines = ndjson(streamed([bytesOf('{"n":1}\n')], new TypeError('terminated')).stream)

    expect((await lines.next()).value).toEqual({ n: 1 })
    await expect(lines.next()).rejects.toThrow('terminated')
  })
})
