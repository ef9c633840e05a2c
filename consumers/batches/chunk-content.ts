/** The content of a chunk, read back from the source of its batch: the lines lie where the manifest says, and nowhere else. */
import type { ChunkItem, ChunkOrder } from '../../ledger/batches/protocol.ts'
import type { ChunkInput } from '../batch-provider.ts'
import type { Desk } from './desk.ts'
import { Cutter, type Piece, piecesOf } from './pieces.ts'
import { tellFault } from './tell.ts'

/** The source is gone, or is not what the manifest was made of: a fault of ours. */
export class BrokenSource extends Error {
  override readonly name = 'BrokenSource'
}

export interface ItemInput {
  readonly item: ChunkItem
  readonly input: unknown
}

/** The inputs of the items one after the other. `items` in the order of the source. */
export async function* inputsOf(
  items: readonly ChunkItem[],
  sourceRef: string,
  content: Pick<R2Bucket, 'get'>,
): AsyncGenerator<ItemInput> {
  for (const piece of piecesOf(items)) yield* inputsIn(piece, sourceRef, content)
}

async function* inputsIn(
  piece: Piece,
  sourceRef: string,
  content: Pick<R2Bucket, 'get'>,
): AsyncGenerator<ItemInput> {
  const { offset, length } = piece
  const object = await content.get(sourceRef, { range: { offset, length } })
  if (!object) throw new BrokenSource()
  const cutter = new Cutter(piece)
  for await (const bytes of object.body)
    for (const cut of cutter.feed(bytes)) yield { item: cut.item, input: inputOf(cut.bytes) }
  if (!cutter.done) throw new BrokenSource()
}

function inputOf(line: Uint8Array): unknown {
  try {
    return (JSON.parse(new TextDecoder().decode(line)) as { input?: unknown }).input
  } catch {
    throw new BrokenSource()
  }
}

/** All items of a chunk as a provider gets them; the catalog bounds their bytes. Null where the source cannot be read. */
export async function readableInputs(desk: Desk, order: ChunkOrder): Promise<ChunkInput[] | null> {
  const inputs: ChunkInput[] = []
  try {
    for await (const { item, input } of inputsOf(order.items, order.sourceRef, desk.content))
      inputs.push({ reference: item.key, input })
    return inputs
  } catch (error) {
    if (!(error instanceof BrokenSource)) throw error
    tellFault(desk, 'batch.source_broken', order, error)
    return null
  }
}
