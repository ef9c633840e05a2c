/**
 * Plans a batch from the lines of its source: every item checked, in a page of the manifest and in a chunk, before anything is sent.
 * What came inline goes the same way as a file.
 */
import { kinds } from '../../catalog/kinds.ts'
import { findModel } from '../../catalog/models.ts'
import type { FieldError } from '../../openapi/common.ts'
import type { LineError } from '../schema.ts'
import { type BuilderParts, type FindFiles, PlanBuilder } from './builder.ts'
import { type FaultPage, FaultPages, inlineErrors, inlinePointer, lineError, wholly } from './faults.ts'
import { type LineGroup, sourceLines } from './lines.ts'
import type { PlannedPage } from './manifest-pages.ts'
import { type BatchPlan, MAX_ITEMS, type PlanSummary } from './plan.ts'
import type { PlanOrder } from './protocol.ts'
import { selected } from './selection.ts'

export type { FaultPage, FindFiles, PlannedPage }

/** What a plan is made by: of `order`, what is the same for a file and for items that came inline. */
export interface Planning {
  readonly tenantId: string
  readonly order: Omit<PlanOrder, 'sourceRef' | 'lines' | 'onInvalid'>
  readonly findFiles: FindFiles
}

export interface SourcePlanning extends Planning {
  readonly order: PlanOrder
}

/**
 * Yields the manifest and what is wrong with lines, each page by page, and ends with the rest of the plan. Where nothing may run, for there is no item, or too many, or
 * one is invalid and that is to fail the batch, the plan has no items and no chunks, and pages of the manifest count for nothing.
 */
export async function* planSource(
  lines: AsyncIterable<LineGroup>,
  { order, ...rest }: SourcePlanning,
): AsyncGenerator<PlannedPage | FaultPage, PlanSummary> {
  const faults = new FaultPages()
  const builder = new PlanBuilder({
    ...partsOf({ order, ...rest }),
    onFault: (line, fault) => faults.add(line, fault),
    nameOf: (line) => `line ${line}`,
  })
  for await (const group of selected(lines, order.lines)) {
    const pages = await builder.add(group)
    yield* faults.full()
    if (faults.count === 0 || order.onInvalid === 'skip') yield* pages
    if (builder.items > MAX_ITEMS) return yield* nothing(faults, tooMany('items'))
    if (faults.count > MAX_ITEMS) return yield* nothing(faults, tooMany('lines that are no items'))
  }
  if (builder.lines === 0) return yield* nothing(faults, 'Holds no items.')
  if (faults.count > 0 && order.onInvalid === 'fail') return yield* nothing(faults)
  const { pages, chunks } = builder.end()
  yield* faults.rest()
  yield* pages
  return { items: builder.items, chunks, invalidItems: faults.count }
}

const tooMany = (what: string) => `More than ${MAX_ITEMS} ${what}.`

/** `detail`: of the source as a whole. */
function* nothing(faults: FaultPages, detail?: string): Generator<FaultPage, PlanSummary> {
  yield* faults.rest()
  const summary = { items: 0, chunks: [], invalidItems: faults.count }
  return detail === undefined ? summary : ofWhole(summary, 'invalid_input', detail)
}

/** The plan of what cannot run, with the reason. */
export const ofWhole = (plan: PlanSummary, failure: LineError['class'], detail: string): PlanSummary => ({
  ...plan,
  invalidItems: plan.invalidItems + 1,
  whole: { ...wholly, class: failure, detail },
})

function partsOf({ tenantId, order, findFiles }: Planning): Omit<BuilderParts, 'onFault' | 'nameOf'> {
  const { kind, model: modelId, modelVersion, processingVersion, confidentiality, retentionSeconds } = order
  const model = findModel(modelId)
  if (!model) throw new Error('A batch is planned for a model that is not in the catalog.')
  return {
    rules: { kind, model, confidentiality, retentionSeconds, dimensions: dimensionsOf(order) },
    work: { tenantId, kind, processingVersion, model: modelId, modelVersion },
    findFiles,
  }
}

function dimensionsOf({ kind, params }: Planning['order']): number | null {
  const asked = kind === 'embed' && params !== null ? kinds.embed.params.parse(JSON.parse(params)) : {}
  return asked.dimensions ?? null
}

export interface InlinePlan {
  /** Of the items that are right. */
  readonly plan: BatchPlan
  /** Of all items, to be stored as the source. */
  readonly ndjson: string
  /** All of them, with pointers into the request; the plan is for an estimate only where there are any. */
  readonly errors: FieldError[]
  /** The same, line by line. */
  readonly lineErrors: LineError[]
  /** Of the items that are right. */
  readonly fileIds: string[]
}

/** The plan of items as they came in a request, in its `items`. */
export async function planInline(items: readonly unknown[], planning: Planning): Promise<InlinePlan> {
  const ndjson = items.map((item) => `${JSON.stringify(item)}\n`).join('')
  const errors: FieldError[] = []
  const lineErrors: LineError[] = []
  const builder = new PlanBuilder({
    ...partsOf(planning),
    nameOf: inlinePointer,
    onFault: (line, fault) => {
      lineErrors.push(lineError(line, fault))
      errors.push(...inlineErrors(line, fault))
    },
  })
  const pages: PlannedPage[] = []
  for await (const lines of sourceLines(oneChunk(ndjson))) pages.push(...(await builder.add(lines)))
  const { pages: last, chunks } = builder.end()
  pages.push(...last)
  const plan = {
    items: builder.items,
    chunks,
    manifest: pages.flatMap((page) => page.items),
    invalidItems: lineErrors.length,
  }
  return { plan, ndjson, errors, lineErrors, fileIds: [...new Set(pages.flatMap(({ fileIds }) => fileIds))] }
}

async function* oneChunk(text: string) {
  yield new TextEncoder().encode(text)
}
