/** Puts the outputs of a chunk's jobs together into one object, as the answer of a provider's batch would be. */
import { findModel, type Model } from '../../catalog/models.ts'
import type { ChunkAnswer, ChunkItem, ChunkOrder, ItemResult } from '../../ledger/batches/protocol.ts'
import { endWithout, type ItemEnd, resultLine } from '../../ledger/batches/result-line.ts'
import { chunkOutputKey } from '../../ledger/content.ts'
import { inputsOf } from './chunk-content.ts'
import type { Desk } from './desk.ts'
import { type LineObject, writeLines } from './line-object.ts'
import { isFoundedIn } from './outcome.ts'
import { triedOf } from './request.ts'
import { tellAnswer } from './tell.ts'

/** Gathering again writes the same. */
export async function gatherChunk(desk: Desk, chunk: number): Promise<void> {
  const { acting, tenantId, content, ledger } = desk
  const order = await ledger((object) => object.gatherOrder(acting, chunk))
  if (!order) return
  const model = findModel(order.model)
  if (!model) throw new Error('A chunk ran on a model that is not in the catalog.')
  const outputRef = chunkOutputKey(tenantId, acting.batchId, chunk, order.epoch, order.tries)
  const gathering = new Gathering(desk, order, model)
  await writeLines(content, outputRef, (lines) => gathering.write(lines))
  const answer = gathering.answer(outputRef)
  await ledger((object) => object.endGathering(acting, answer))
  tellAnswer(desk, answer, order.model)
}

class Gathering {
  readonly #desk: Desk
  readonly #order: ChunkOrder
  readonly #model: Model
  readonly #invalid: string[] = []
  readonly #unfounded: string[] = []
  #statuses = ''
  #modelVersion: string | null = null

  constructor(desk: Desk, order: ChunkOrder, model: Model) {
    this.#desk = desk
    this.#order = order
    this.#model = model
  }

  /** Item by item: outputs can be large, and are held one at a time. */
  async write(lines: LineObject): Promise<void> {
    const { kind, items, sourceRef } = this.#order
    // Only what a summary says is held against its text.
    const inputs = kind === 'summarize' ? inputsOf(items, sourceRef, this.#desk.content) : null
    const results = resultsOf(this.#desk, this.#order)
    for (const item of items) {
      const input = (await inputs?.next())?.value?.input
      const result = (await results.next()).value
      if (result?.position !== item.position) throw new Error('An item of a chunk has no result.')
      await this.#add(lines, item, result, input)
    }
  }

  async #add(lines: LineObject, item: ChunkItem, result: ItemResult, input: unknown): Promise<void> {
    const end = await endOf(this.#desk, result)
    await lines.add(resultLine(item, end, result.usage, this.#model))
    this.#statuses += end.status === 'succeeded' ? 's' : 'f'
    this.#modelVersion ??= result.modelVersion || null
    if (end.status !== 'succeeded') {
      if (end.class === 'invalid_output') this.#invalid.push(item.reference)
    } else if (end.output !== null && !isFoundedIn(this.#order.kind, end.output, input))
      this.#unfounded.push(item.reference)
  }

  answer(outputRef: string): ChunkAnswer {
    const nothing = { unknown: 0, missing: [], duplicate: [], empty: [] }
    return {
      kind: 'answered',
      ...triedOf(this.#order),
      statuses: this.#statuses,
      errors: {},
      usages: null,
      // Each job's was booked when it ended.
      usage: { inputTokens: 0, outputTokens: 0 },
      findings: { ...nothing, invalid: this.#invalid, unfounded: this.#unfounded },
      modelVersion: this.#modelVersion,
      outputRef,
    }
  }
}

async function* resultsOf({ acting, ledger }: Desk, { chunk }: ChunkOrder): AsyncGenerator<ItemResult, null> {
  for (let after = -1; ; ) {
    const page = await ledger((object) => object.itemResults(acting, chunk, after))
    yield* page
    const last = page.at(-1)
    if (!last) return null
    after = last.position
  }
}

async function endOf({ content }: Desk, result: ItemResult): Promise<ItemEnd> {
  const { status, errorClass, output, outputRef } = result
  if (status !== 'succeeded') return endWithout(status, errorClass)
  // Its owner has deleted the job's content meanwhile.
  if (output === null && outputRef === null) return { status, output: null }
  const stored = outputRef === null ? null : await content.get(outputRef)
  const text = output ?? (await stored?.text())
  if (text === undefined) throw new Error('The output of an item is gone.')
  return { status, output: JSON.parse(text) as unknown }
}
