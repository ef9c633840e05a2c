/** Copies the lines that a rerun takes of another batch's source into one of its own. Memory is flat. */
import { sourceLines } from '../../ledger/batches/lines.ts'
import type { CopyOrder } from '../../ledger/batches/protocol.ts'
import { selected } from '../../ledger/batches/selection.ts'
import type { Desk } from './desk.ts'
import { type LineObject, writeLines } from './line-object.ts'

/**
 * Copying again writes the same. A source that is gone was copied by an earlier try, and the ledger knows; or it is lost, and the
 * plan finds nothing to read, by which the batch fails. False when another instance acts for the batch.
 */
export async function copySource({ acting, content, ledger }: Desk, order: CopyOrder): Promise<boolean> {
  const source = await content.get(order.from)
  if (source) await writeLines(content, order.to, (lines) => copied(source.body, order, lines))
  return ledger((object) => object.takeSource(acting, order.to))
}

async function copied(
  source: AsyncIterable<Uint8Array>,
  { lines: runs }: CopyOrder,
  into: LineObject,
): Promise<void> {
  // Each was an item before, so it has a text.
  for await (const group of selected(sourceLines(source), runs))
    for (const { text } of group) if (text !== null) await into.add(`${text}\n`)
}
