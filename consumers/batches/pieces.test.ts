import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChunkItem } from '../../ledger/batches/protocol.ts'
import { Cutter, piecesOf } from './pieces.ts'

const itemAt = (at: number, bytes: number, position = 0): ChunkItem => ({
  position,
  index: position,
  line: position + 1,
  reference: `item-${position}`,
  key: '0'.repeat(32),
  at,
  bytes,
})

const KIB = 1024

describe('the pieces of a chunk', () => {
  it('are one where items follow each other', () => {
    const items = [itemAt(10, 5), itemAt(16, 5), itemAt(22, 8)]

    expect(piecesOf(items)).toEqual([{ offset: 10, length: 20, items }])
  })

  it('reach over a gap of 256 KiB, and not over a larger one', () => {
    const near = [itemAt(0, 100), itemAt(100 + 256 * KIB, 100)]
    const far = [itemAt(0, 100), itemAt(101 + 256 * KIB, 100)]

    expect(piecesOf(near)).toHaveLength(1)
    expect(piecesOf(far)).toEqual([
      { offset: 0, length: 100, items: [far[0]] },
      { offset: 101 + 256 * KIB, length: 100, items: [far[1]] },
    ])
  })

  it('of nothing are none', () => {
    expect(piecesOf([])).toEqual([])
  })
})

const source = Uint8Array.from({ length: 4096 }, (_, at) => at % 251)

/** Items with gaps between, the sizes of the buffers that their piece comes in, and both as large as they like. */
const layouts = fc.record({
  sizes: fc.array(fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 60 })), { minLength: 1, maxLength: 30 }),
  buffers: fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 10 }),
})

function itemsOf(sizes: readonly (readonly [gap: number, bytes: number])[]): ChunkItem[] {
  let at = 0
  return sizes.map(([gap, bytes], position) => {
    const item = itemAt(at + gap, bytes, position)
    at += gap + bytes
    return item
  })
}

describe('a cutter', () => {
  it('gives each item its own bytes, however the piece is cut up', () => {
    fc.assert(
      fc.property(layouts, ({ sizes, buffers }) => {
        const items = itemsOf(sizes)
        const [piece] = piecesOf(items)
        if (!piece) throw new Error('No piece.')
        const cutter = new Cutter(piece)
        const cut = []
        for (let at = piece.offset, turn = 0; at < piece.offset + piece.length; turn++) {
          const size = buffers[turn % buffers.length] ?? 1
          const end = Math.min(at + size, piece.offset + piece.length)
          cut.push(...cutter.feed(source.subarray(at, end)))
          at = end
        }

        expect(cutter.done).toBe(true)
        expect(cut.map(({ item }) => item)).toEqual(items)
        for (const { item, bytes } of cut) expect(bytes).toEqual(source.slice(item.at, item.at + item.bytes))
      }),
    )
  })

  it('is not done with a piece that ends too soon', () => {
    const [piece] = piecesOf([itemAt(0, 10), itemAt(12, 10)])
    if (!piece) throw new Error('No piece.')
    const cutter = new Cutter(piece)

    expect(cutter.feed(source.subarray(0, 15))).toHaveLength(1)
    expect(cutter.done).toBe(false)
  })
})
