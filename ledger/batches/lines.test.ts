import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Line, sourceLines } from './lines.ts'
import { MAX_LINE_BYTES } from './plan.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const encoder = new TextEncoder()
const bytesOf = (source: string | Uint8Array) =>
  typeof source === 'string' ? encoder.encode(source) : source

async function* chunked(source: string | Uint8Array, size = Number.POSITIVE_INFINITY) {
  const bytes = bytesOf(source)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function linesOf(chunks: AsyncIterable<Uint8Array>): Promise<Line[]> {
  const lines: Line[] = []
  for await (const group of sourceLines(chunks)) lines.push(...group)
  return lines
}

/** `[line, text or fault]` of each. */
const told = (lines: readonly Line[]) => lines.map(({ line, text, fault }) => [line, text ?? fault])

const mark = '\uFEFF'

describe('the lines of a source', () => {
  it.each<[string, string, [number, string][]]>([
    [
      'end with LF',
      '{}\n[]\n',
      [
        [1, '{}'],
        [2, '[]'],
      ],
    ],
    [
      'end with CRLF',
      '{}\r\n[]\r\n',
      [
        [1, '{}'],
        [2, '[]'],
      ],
    ],
    [
      'end with the source',
      '{}\n[]',
      [
        [1, '{}'],
        [2, '[]'],
      ],
    ],
    [
      'count when they are blank, and are none',
      '\n\r\n{}\n \t\n\n[]\n\n\n',
      [
        [3, '{}'],
        [6, '[]'],
      ],
    ],
    [
      'have no byte order mark',
      `${mark}{}\n[]`,
      [
        [1, '{}'],
        [2, '[]'],
      ],
    ],
    [
      'have one when it is in another place',
      `{}\n${mark}[]`,
      [
        [1, '{}'],
        [2, `${mark}[]`],
      ],
    ],
    [
      'have no spaces around them',
      '\t {} \r\n  []  ',
      [
        [1, '{}'],
        [2, '[]'],
      ],
    ],
    ['keep what stands within them', '{ "a":\t"b\u2028 c" }\n', [[1, '{ "a":\t"b\u2028 c" }']]],
    ['are none in an empty source', '', []],
    ['are none in a source of a mark alone', mark, []],
    ['are none in a source of blank lines', `${mark}\n \r\n`, []],
    ['are none where another space stands alone', '\u3000\n{}', [[2, '{}']]],
  ])('%s', async (_, source, lines) => {
    expect(told(await linesOf(chunked(source)))).toEqual(lines)
    expect(told(await linesOf(chunked(source, 1)))).toEqual(lines)
  })

  it('that are not UTF-8 are told by number, and the others are read', async () => {
    const source = Uint8Array.of(0x61, 0x0a, 0xff, 0x0a, 0xe3, 0x81, 0x0a, 0x62)

    expect(told(await linesOf(chunked(source)))).toEqual([
      [1, 'a'],
      [2, 'not_utf8'],
      [3, 'not_utf8'],
      [4, 'b'],
    ])
  })

  it('may be so long, and no longer', async () => {
    const longest = 'a'.repeat(MAX_LINE_BYTES)

    const lines = await linesOf(chunked(`${mark}${longest}\r\n${longest}b\n${longest}`, 65_536))

    expect(lines.map(({ line, bytes, fault }) => [line, bytes, fault])).toEqual([
      [1, MAX_LINE_BYTES, null],
      [2, MAX_LINE_BYTES + 1, 'too_large'],
      [3, MAX_LINE_BYTES, null],
    ])
  })

  it('are counted and placed past one that is far too long, of which nothing is held', async () => {
    const chunk = new Uint8Array(64 * 1024).fill(0x61)
    const held = () => {
      collectGarbage()
      return process.memoryUsage().arrayBuffers
    }
    const before = held()
    let most = 0
    async function* source() {
      for (let count = 0; count < 960; count++) {
        yield chunk.slice()
        if (count % 96 === 95) most = Math.max(most, held() - before)
      }
      yield encoder.encode('\n{}')
    }

    const lines = await linesOf(source())

    expect(lines).toEqual([
      { line: 1, at: 0, bytes: 60 * 1024 * 1024, text: null, fault: 'too_large' },
      { line: 2, at: 60 * 1024 * 1024 + 1, bytes: 2, text: '{}', fault: null },
    ])
    expect(most).toBeLessThan(16 * 1024 * 1024)
  })

  it('come in groups, so that no more than a few are held', async () => {
    const groups: number[] = []
    for await (const group of sourceLines(chunked(`${'a'.repeat(5000)}\n`.repeat(1000))))
      groups.push(group.length)
    for await (const group of sourceLines(chunked('a\n'.repeat(1000)))) groups.push(group.length)

    expect(groups).toEqual([210, 210, 210, 210, 160, 500, 500, 0])
  })

  it('end the source when no more are taken', async () => {
    let cancelled = false
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(encoder.encode('a\n'.repeat(1000))),
      cancel: () => {
        cancelled = true
      },
    })

    for await (const _ of sourceLines(source)) break

    expect(cancelled).toBe(true)
  })

  it('lie where they say, however the source is cut', async () => {
    const piece = fc.constantFrom('\n', '\r\n', ' ', '\r', '\t', '{"a":1}', 'ü', '漢', '𠮷', mark, '\u3000')
    const sources = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))
    await fc.assert(
      fc.asyncProperty(sources, fc.integer({ min: 1, max: 9 }), async (source, size) => {
        const bytes = encoder.encode(source)
        const lines = await linesOf(chunked(bytes, size))

        const expected = source
          .replace(/^\uFEFF/, '')
          .split('\n')
          .map((text, at) => [at + 1, text.replace(/^[ \t\r]+|[ \t\r]+$/g, '')] as const)
          .filter(([, text]) => text.trim() !== '')
        const read = lines.map(({ line, at, bytes: length }) => [
          line,
          new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(at, at + length)),
        ])
        expect(read.map(([line, text]) => [line, String(text).trim()])).toEqual(
          expected.map(([line, text]) => [line, text.trim()]),
        )
        expect(told(lines)).toEqual(read)
      }),
      { numRuns: 500 },
    )
  })
})
