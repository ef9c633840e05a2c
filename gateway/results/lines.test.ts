import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineReader } from './lines.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** A stream of the pieces, and whether somebody has cancelled it. */
function streamOf(...pieces: string[]) {
  const state = { cancelled: false }
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces.shift()
      if (piece === undefined) controller.close()
      else controller.enqueue(bytes(piece))
    },
    cancel() {
      state.cancelled = true
    },
  })
  return { stream, state }
}

async function text(pieces: AsyncGenerator<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let all = ''
  for await (const piece of pieces) all += decoder.decode(piece, { stream: true })
  return all
}

describe('a reader of lines', () => {
  it('gives as many lines as asked for, with their ends, wherever the pieces break', async () => {
    const reader = new LineReader(streamOf('a\nb', 'b\n', '', '\nd\ne', 'e\n').stream)

    expect(await text(reader.take(1))).toBe('a\n')
    expect(await text(reader.take(2))).toBe('bb\n\n')
    expect(await text(reader.take(0))).toBe('')
    expect(await text(reader.take(2))).toBe('d\nee\n')
  })

  it('gives back what went in, however it is cut', async () => {
    const line = fc.string({ unit: 'grapheme' }).map((one) => one.replaceAll('\n', ''))
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 20 }),
        fc.nat(9),
        fc.nat(20),
        async (lines, size, first) => {
          const whole = lines.map((one) => `${one}\n`).join('')
          const pieces = Array.from({ length: Math.ceil(whole.length / (size + 1)) }, (_, at) =>
            whole.slice(at * (size + 1), (at + 1) * (size + 1)),
          ).filter((piece) => piece.isWellFormed())
          fc.pre(pieces.join('') === whole)
          const reader = new LineReader(streamOf(...pieces).stream)
          const head = Math.min(first, lines.length)

          expect(await text(reader.take(head))).toBe(
            lines
              .slice(0, head)
              .map((one) => `${one}\n`)
              .join(''),
          )
          expect(await text(reader.take(lines.length - head))).toBe(
            lines
              .slice(head)
              .map((one) => `${one}\n`)
              .join(''),
          )
        },
      ),
    )
  })

  it('throws where lines are missing', async () => {
    const reader = new LineReader(streamOf('a\n', 'b').stream)

    await expect(text(reader.take(2))).rejects.toThrow('ended before its last line')
  })

  it('ends the stream when it is closed', async () => {
    const { stream, state } = streamOf('a\n', 'b\n', 'c\n')
    const reader = new LineReader(stream)
    await text(reader.take(1))

    await reader.close()

    expect(state.cancelled).toBe(true)
  })
})
