/** A ledger's batches in memory: verbs run as the desk runs them, and what must always hold is looked at after each. */
import { expect } from 'vitest'
import type { Plan } from '../../openapi/plan.ts'
import { applyReservations, type Month, readReservations } from '../budget.ts'
import { type LedgerContext, newTally } from '../context.ts'
import { added } from '../counts.ts'
import { mintId, randomBytes } from '../ids.ts'
import { readOpenJobs } from '../open-jobs.ts'
import { noOrders } from '../orders.ts'
import { batches, type ManifestItem } from '../schema.ts'
import { SETTINGS } from '../settings.fixture.ts'
import { ledgerSettings } from '../settings.ts'
import { memoryStore } from '../sqlite.fixture.ts'
import { standingOf } from '../tenant-standing.fixture.ts'
import { keepUsage } from '../usage-days.ts'
import { workFigures } from '../work-figures.ts'
import { acceptBatch } from './accept-batch.ts'
import { chunksOf, pendingIn } from './chunks.ts'
import { nextInstance } from './instances.ts'
import { lookAtBatch } from './look-at-batch.ts'
import type { BatchPlan, BatchRequest, PlannedChunk } from './plan.ts'
import type { Acting, ChunkAnswer, ChunkOrder, Look, Tried } from './protocol.ts'
import { batchSnapshot, findBatch } from './rows.ts'
import { countEnded, numbersOf } from './statuses.ts'

export const START = Date.UTC(2026, 10, 30)
const DAY_SECONDS = 86_400

const settings = ledgerSettings(SETTINGS)

const roomy: Plan = {
  requests_per_minute: 6000,
  jobs_per_minute: 6000,
  max_running: 50,
  max_backlog: 1000,
  max_open_batches: 20,
  max_batch_chunks: 10,
  max_webhook_endpoints: 50,
  monthly_budget_usd: null,
  test_models: true,
  shards: 1,
}

const noneEnded = { succeeded: 0, failed: 0, cancelled: 0, expired: 0 }

export class BatchLedger {
  readonly db = memoryStore()
  readonly plan: Plan
  readonly #reserved = new Map<Month, number>()
  /** Batches that were woken since this was looked at. */
  readonly woken = new Set<string>()
  now = START
  /** At most so far. */
  #batches = 0
  orders = noOrders

  constructor(plan: Partial<Plan> = {}) {
    this.plan = { ...roomy, ...plan }
  }

  run<T>(verb: (ctx: LedgerContext) => T): T {
    const tally = { ...newTally(), woken: this.woken }
    const identity = { tenantId: 'acme', shard: 0 }
    const standing = standingOf(this.plan)
    const common = {
      random: () => 1,
      randomBytes,
      identity,
      standing,
      orders: this.orders,
      settings,
      full: false,
      openJobs: readOpenJobs(this.db).total,
    }
    const { db, now, plan } = this
    const value = verb({ ...common, db, now, plan, reserved: this.#reserved, tally })
    keepUsage(db, tally.usage)
    applyReservations(this.#reserved, tally.reserved)
    this.#check()
    return value
  }

  pass(ms: number): void {
    this.now += ms
  }

  snapshot(id: string) {
    return this.run((ctx) => batchSnapshot(ctx, this.row(id)))
  }

  row(id: string) {
    const batch = findBatch(this.db, id)
    if (!batch) throw new Error('There is no such batch.')
    return batch
  }

  chunk = (id: string, chunk: number) => chunksOf(this.db, id)[chunk]

  /** What always holds: counts add up and agree with the items and the figures, and what is set aside is what the rows say. */
  #check(): void {
    expect(readReservations(this.db)).toEqual(this.#reserved)
    const ended = { ...noneEnded }
    const all = this.db.select({ id: batches.id }).from(batches).all()
    for (const { id } of all)
      for (const row of chunksOf(this.db, id)) {
        expect(row).toMatchObject(countEnded(row.statuses))
        expect([row.statuses.length, numbersOf(row.runs).length]).toEqual([row.items, row.items])
        expect(pendingIn(row)).toBeGreaterThanOrEqual(0)
        if (pendingIn(row) === 0) expect(row.reservedMicroUsd).toBe(0)
        for (const how of Object.keys(ended) as (keyof typeof ended)[]) ended[how] += row[how]
      }
    const told = workFigures(this.db, new Map()).map(({ items }) => items)
    // Figures outlive the rows.
    if (all.length >= this.#batches) expect(told.reduce(added, noneEnded)).toEqual(ended)
    this.#batches = Math.max(this.#batches, all.length)
  }
}

export const itemKey = (reference: string, version = '1') => `${reference}-${version}`.padEnd(32, '0')

const manifestOf = (chunks: readonly PlannedChunk[], version: string): ManifestItem[] =>
  chunks
    .flatMap(({ runs }, chunk) => numbersOf(runs).map((index) => ({ chunk, index })))
    .toSorted((a, b) => a.index - b.index)
    .map(({ chunk, index }) => ({
      line: index + 1,
      reference: `r${index}`,
      key: itemKey(`r${index}`, version),
      inputSha256: '0'.repeat(64),
      chunk,
      at: index * 100,
      bytes: 99,
    }))

/** Chunks of so many items each, in order. */
export function plannedChunks(sizes: readonly number[], more: Partial<PlannedChunk> = {}): PlannedChunk[] {
  let first = 0
  return sizes.map((items) => {
    const runs: [number, number][] = [[first, items]]
    first += items
    const common = { path: 'batch', confidentiality: 'internal', retentionSeconds: DAY_SECONDS } as const
    const figures = {
      items,
      bytes: items * 99,
      runs,
      inputTokens: items * 10,
      estimateMicroUsd: items * 10_000,
    }
    return { ...common, ...figures, ...more }
  })
}

export function planOf(chunks: PlannedChunk[], version = '1'): BatchPlan {
  const items = chunks.reduce((sum, chunk) => sum + chunk.items, 0)
  return { items, chunks, invalidItems: 0, manifest: manifestOf(chunks, version) }
}

export const callAt = (now: number, key: string | null = null) => ({
  id: mintId('batch', 0, now, randomBytes),
  key: key === null ? null : { hash: key, fingerprint: key },
})

export function requestAt(
  now: number,
  chunks: PlannedChunk[] = plannedChunks([2, 2]),
  more: Partial<BatchRequest> = {},
): BatchRequest {
  return {
    call: callAt(now),
    kind: 'summarize',
    model: 'test/priced',
    modelVersion: '1',
    provider: 'test',
    processingVersion: '1',
    confidentiality: 'internal',
    retentionSeconds: DAY_SECONDS,
    deadlineSeconds: 3600,
    createdBy: 'client',
    metadata: {},
    params: null,
    traceparent: '00-1-1-00',
    maxCostMicroUsd: null,
    onInvalid: 'fail',
    onDeadline: 'expire',
    onDuplicate: 'refuse',
    source: {
      kind: 'inline',
      ref: 't/acme/in/1/source',
      plan: planOf(chunks, more.processingVersion),
      fileIds: [],
    },
    ...more,
  }
}

/** An accepted batch with its first instance. */
export function startedBatch(
  ledger: BatchLedger,
  chunks = plannedChunks([2, 2]),
  more: Partial<BatchRequest> = {},
): Acting {
  const accepted = ledger.run((ctx) => acceptBatch(ctx, requestAt(ledger.now, chunks, more)))
  if (!accepted.ok) throw new Error(accepted.refusal.code)
  const { id } = accepted.value.batch
  ledger.run((ctx) => nextInstance(ctx, id, 0))
  return { batchId: id, instance: 1 }
}

export function lookWork(ledger: BatchLedger, acting: Acting): Extract<Look, { kind: 'work' }> {
  const seen = ledger.run((ctx) => lookAtBatch(ctx, acting, false))
  if (seen.kind !== 'work') throw new Error(`The look says ${seen.kind}.`)
  return seen
}

export const triedOf = ({ chunk, epoch, tries }: ChunkOrder): Tried => ({ chunk, epoch, tries })

/** An answer to the order, one letter for each item. */
export const answerTo = (
  order: ChunkOrder,
  statuses: string,
  more: Partial<ChunkAnswer> = {},
): ChunkAnswer => ({
  ...triedOf(order),
  kind: 'answered',
  statuses,
  errors: Object.fromEntries(
    Array.from(statuses).flatMap((one, at) => (one === 'f' ? [[at, 'missing_result' as const]] : [])),
  ),
  usages: null,
  usage: { inputTokens: 10, outputTokens: 5 },
  findings: { unknown: 0, missing: [], duplicate: [], empty: [], invalid: [], unfounded: [] },
  modelVersion: '1',
  outputRef: `t/acme/batch/x/${order.chunk}/${order.epoch}-${order.tries}`,
  ...more,
})
