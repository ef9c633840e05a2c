/**
 * Where a chunk's items lie in their source: stretches to be read in one go. Items that lie close together cost one read, and what
 * lies between them is read over; those far apart cost a read each, and no bytes in between.
 */
import type { ChunkItem } from '../../ledger/batches/protocol.ts'

/** A gap up to this size is read over: a read of its own takes longer. */
const GAP_BYTES = 256 * 1024

export interface Piece {
  readonly offset: number
  readonly length: number
  readonly items: readonly ChunkItem[]
}

/** `items` in the order of the source. */
export function piecesOf(items: readonly ChunkItem[]): Piece[] {
  const groups: ChunkItem[][] = []
  for (const item of items) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group && last && item.at - endOf(last) <= GAP_BYTES) group.push(item)
    else groups.push([item])
  }
  return groups.flatMap(pieceOf)
}

const endOf = ({ at, bytes }: ChunkItem) => at + bytes

function pieceOf(items: ChunkItem[]): Piece[] {
  const [first, last] = [items[0], items.at(-1)]
  if (!first || !last) return []
  return [{ offset: first.at, length: endOf(last) - first.at, items }]
}

export interface CutItem {
  readonly item: ChunkItem
  readonly bytes: Uint8Array
}

/** Cuts the items out of a piece as its bytes go by, so that no more than one of them is held. */
export class Cutter {
  readonly #items: readonly ChunkItem[]
  #next = 0
  /** Where in the source the bytes that come next lie. */
  #at: number
  #held: Uint8Array | null = null

  constructor({ offset, items }: Piece) {
    this.#items = items
    this.#at = offset
  }

  /** The items that are whole with these bytes. */
  feed(bytes: Uint8Array): CutItem[] {
    const whole: CutItem[] = []
    const end = this.#at + bytes.byteLength
    for (let item = this.#items[this.#next]; item && item.at < end; item = this.#items[this.#next]) {
      const held = this.#take(item, bytes)
      if (endOf(item) > end) break
      whole.push({ item, bytes: held })
      this.#held = null
      this.#next++
    }
    this.#at = end
    return whole
  }

  /** Whether every item has come. */
  get done(): boolean {
    return this.#next === this.#items.length
  }

  /** What of the item is among these bytes, added to what came before. */
  #take({ at, bytes: size }: ChunkItem, bytes: Uint8Array): Uint8Array {
    this.#held ??= new Uint8Array(size)
    const from = Math.max(at, this.#at)
    const piece = bytes.subarray(from - this.#at, at + size - this.#at)
    this.#held.set(piece, from - at)
    return this.#held
  }
}
