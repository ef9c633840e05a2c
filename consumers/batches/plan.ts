/** Plans a batch whose items are in a file: read once from end to end, checked line by line, and kept page by page. */
import { sourceLines } from '../../ledger/batches/lines.ts'
import type { PlanSummary } from '../../ledger/batches/plan.ts'
import { type FaultPage, ofWhole, type PlannedPage, planSource } from '../../ledger/batches/planning.ts'
import type { PlanOrder } from '../../ledger/batches/protocol.ts'
import { log } from '../../ledger/log.ts'
import type { ManifestItem } from '../../ledger/schema.ts'
import type { Desk } from './desk.ts'

/** Of one call to the ledger. */
const CALL_BYTES = 1024 * 1024

/** Answers what became of the plan; `over` when another instance acts for the batch. Planning again keeps the same pages. */
export async function planBatch(desk: Desk, order: PlanOrder): Promise<string> {
  const source = await desk.content.get(order.sourceRef)
  const summary = source ? await planned(desk, order, source.body) : unreadable
  if (!summary) return 'over'
  const sealed = await desk.ledger((ledger) => ledger.sealPlan(desk.acting, summary))
  tellPlan(desk, summary, sealed)
  return sealed
}

const nothing: PlanSummary = { items: 0, chunks: [], invalidItems: 0 }
const unreadable = ofWhole(nothing, 'internal', 'The file cannot be read.')

/** Null when another instance acts for the batch. */
async function planned(
  desk: Desk,
  order: PlanOrder,
  source: ReadableStream<Uint8Array>,
): Promise<PlanSummary | null> {
  const findFiles = (ids: readonly string[]) =>
    desk.ledger((ledger) => ledger.batchFiles(desk.acting, [...ids]))
  const planning = planSource(sourceLines(source), { tenantId: desk.tenantId, order, findFiles })
  const pages = new Pages(desk)
  for (;;) {
    const { done, value } = await planning.next()
    if (done) return (await pages.keep()) ? value : null
    const isKept = 'faults' in value ? await pages.addFaults(value) : await pages.add(value)
    if (!isKept) return null
  }
}

/** Pages on their way to the ledger, as many at once as one call takes. */
class Pages {
  readonly #desk: Desk
  #first = 0
  #pages: ManifestItem[][] = []
  #fileIds = new Set<string>()
  #bytes = 0

  constructor(desk: Desk) {
    this.#desk = desk
  }

  /** False when another instance acts for the batch. */
  async add({ page, items, fileIds }: PlannedPage): Promise<boolean> {
    if (this.#pages.length === 0) this.#first = page
    this.#pages.push(items)
    for (const id of fileIds) this.#fileIds.add(id)
    this.#bytes += JSON.stringify(items).length
    return this.#bytes < CALL_BYTES || this.keep()
  }

  addFaults(page: FaultPage): Promise<boolean> {
    return this.#desk.ledger((ledger) => ledger.keepFaults(this.#desk.acting, page))
  }

  async keep(): Promise<boolean> {
    const [first, pages, fileIds] = [this.#first, this.#pages, [...this.#fileIds]]
    this.#pages = []
    this.#fileIds = new Set()
    this.#bytes = 0
    if (pages.length === 0) return true
    return this.#desk.ledger((ledger) => ledger.keepPages(this.#desk.acting, first, pages, fileIds))
  }
}

function tellPlan(
  { tenantId, acting }: Desk,
  { items, chunks, invalidItems }: PlanSummary,
  sealed: string,
): void {
  log('batch.planned', {
    tenant_id: tenantId,
    batch_id: acting.batchId,
    instance: acting.instance,
    items,
    chunks: chunks.length,
    invalid_items: invalidItems,
    outcome: sealed,
  })
}
