/**
 * Plans a batch from the lines of its source: every item checked, in a page of the manifest and in a chunk, before anything is sent.
 * What came inline goes the same way as a file.
 */
import { kinds } from '../../catalog/kinds.ts'
import { findModel } from '../../catalog/models.ts'
import type { FieldError } from '../../openapi/common.ts'
import { type BuilderParts, type FindFiles, PlanBuilder } from './builder.ts'
import { faulty, inlineErrors, inlinePointer, LineErrors } from './faults.ts'
import { type LineGroup, sourceLines } from './lines.ts'
import type { PlannedPage } from './manifest-pages.ts'
import { type BatchPlan, MAX_ITEMS, type PlanSummary } from './plan.ts'
import type { PlanOrder } from './protocol.ts'
import { selected } from './selection.ts'

export type { FindFiles, PlannedPage }

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
 * Yields the manifest page by page, and ends with the rest of the plan. Where nothing may run, for there is no item, or too many, or
 * one is invalid and that is to fail the batch, the plan has no items and no chunks, and pages that were yielded count for nothing.
 */
export async function* planSource(
  lines: AsyncIterable<LineGroup>,
  { order, ...rest }: SourcePlanning,
): AsyncGenerator<PlannedPage, PlanSummary> {
  const errors = new LineErrors()
  const onFault = errors.add.bind(errors)
  const builder = new PlanBuilder({
    ...partsOf({ order, ...rest }),
    onFault,
    nameOf: (line) => `line ${line}`,
  })
  for await (const group of selected(lines, order.lines)) {
    const pages = await builder.add(group)
    if (errors.count === 0 || order.onInvalid === 'skip') yield* pages
    if (builder.lines > MAX_ITEMS) return nothing(errors, group.at(-1)?.line ?? 1, tooMany)
  }
  if (builder.lines === 0) return nothing(errors, 1, noItems)
  if (errors.count > 0 && order.onInvalid === 'fail') return nothing(errors)
  const { pages, chunks } = builder.end()
  yield* pages
  return { items: builder.items, chunks, invalidItems: errors.count, lineErrors: errors.kept }
}

const tooMany = `More than ${MAX_ITEMS} items.`
const noItems = 'Holds no items.'

function nothing(errors: LineErrors, line = 1, detail?: string): PlanSummary {
  if (detail !== undefined) errors.add(line, faulty([{ pointer: '', detail }]).fault)
  return { items: 0, chunks: [], invalidItems: errors.count, lineErrors: errors.kept }
}

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
  /** Of the items that are right. */
  readonly fileIds: string[]
}

/** The plan of items as they came in a request, in its `items`. */
export async function planInline(items: readonly unknown[], planning: Planning): Promise<InlinePlan> {
  const ndjson = items.map((item) => `${JSON.stringify(item)}\n`).join('')
  const errors: FieldError[] = []
  const invalid = new LineErrors()
  const builder = new PlanBuilder({
    ...partsOf(planning),
    nameOf: inlinePointer,
    onFault: (line, fault) => {
      invalid.add(line, fault)
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
    invalidItems: invalid.count,
    lineErrors: invalid.kept,
  }
  return { plan, ndjson, errors, fileIds: [...new Set(pages.flatMap(({ fileIds }) => fileIds))] }
}

async function* oneChunk(text: string) {
  yield new TextEncoder().encode(text)
}
