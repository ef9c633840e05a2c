import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { claimJob } from '../claim.ts'
import { type JobRecord, jobColumns } from '../jobs.ts'
import { batches, events, jobs, spend, usageDays } from '../schema.ts'
import { settleJob } from '../settle.ts'
import { sweepDeadlines, sweepLeases, sweepUnbooked } from '../sweep.ts'
import type { TokenUsage } from '../usage.ts'
import { isBatchOver } from './batch.ts'
import { answerTo, BatchLedger, callAt, plannedChunks, startedBatch, triedOf } from './batches.fixture.ts'
import { beginSubmission } from './begin-submission.ts'
import { cancelBatch } from './cancel-batch.ts'
import { chunksOf } from './chunks.ts'
import { sweepBatchContent } from './content.ts'
import { sweepBatchDeadlines } from './deadlines.ts'
import { type Decision, decideBatch } from './decide-batch.ts'
import { endSubmission } from './end-submission.ts'
import { endGathering, gatherOrder } from './gather.ts'
import { nextInstance } from './instances.ts'
import { openItemJobs, openOrder } from './item-jobs.ts'
import { lookAtBatch } from './look-at-batch.ts'
import { noteAnswers } from './note-answers.ts'
import type { Acting, ChunkOrder, Polled, SubmissionOutcome } from './protocol.ts'

beforeAll(() => void vi.spyOn(console, 'log').mockImplementation(() => undefined))
afterAll(() => vi.restoreAllMocks())

const HOUR_MS = 3_600_000
const CHUNKS = [...plannedChunks([2, 3]), ...plannedChunks([2], { path: 'jobs', runs: [[5, 2]] })]
const MODELS = ['test/priced', 'embedded/extract-1'] as const

/** A batch, the instances that speak for it, and every order that was ever given out: what was said once may be said again. */
class World {
  readonly ledger: BatchLedger
  readonly acting: Acting
  instance = 1
  readonly orders: ChunkOrder[] = []

  constructor(
    budget: number | null,
    model: (typeof MODELS)[number],
    onDeadline: 'expire' | 'run_individually',
  ) {
    this.ledger = new BatchLedger({ monthly_budget_usd: budget, max_batch_chunks: 2 })
    const more = { model, provider: model === 'test/priced' ? 'test' : 'embedded', onDeadline }
    this.acting = startedBatch(this.ledger, CHUNKS, more)
  }

  get id() {
    return this.acting.batchId
  }

  get speaker(): Acting {
    return { ...this.acting, instance: this.instance }
  }

  remember(order: ChunkOrder | null): void {
    if (order) this.orders.push(order)
  }
}

type Deed = (world: World) => void

const chunk = fc.nat(CHUNKS.length - 1)
const pick = fc.nat(1000)
const outcome = fc.constantFrom<SubmissionOutcome>(
  { kind: 'accepted', providerRequestId: 'req' },
  { kind: 'absent' },
  { kind: 'unknown' },
  { kind: 'failed', class: 'rate_limited', retryAfterMs: null },
  { kind: 'failed', class: 'permission_denied', retryAfterMs: null },
)
const usage = fc.constantFrom({ inputTokens: 4, outputTokens: 2 }, 'unknown' as const, null)

const withOrder = (world: World, which: number, act: (order: ChunkOrder) => void) => {
  const order = world.orders[which % Math.max(1, world.orders.length)]
  if (order) act(order)
}

const look: fc.Arbitrary<Deed> = fc.boolean().map((suspended) => ({ ledger, speaker }) => {
  ledger.run((ctx) => lookAtBatch(ctx, speaker, suspended))
})

const begin: fc.Arbitrary<Deed> = chunk.map((number) => (world) => {
  const begun = world.ledger.run((ctx) => beginSubmission(ctx, world.speaker, number, false))
  world.remember(begun.kind === 'none' ? null : begun.order)
})

const end: fc.Arbitrary<Deed> = fc.tuple(pick, outcome).map(
  ([which, how]) =>
    (world) =>
      withOrder(world, which, (order) => {
        world.ledger.run((ctx) => endSubmission(ctx, world.acting, triedOf(order), how))
      }),
)

function polledFor(
  order: ChunkOrder,
  kind: string,
  answered: number,
  used: TokenUsage | 'unknown' | null,
): Polled {
  const tried = triedOf(order)
  if (kind === 'pending') return { kind, ...tried }
  const failure = {
    class: kind === 'failed' ? 'invalid_output' : 'permission_denied',
    retryAfterMs: null,
  } as const
  if (kind !== 'answered') return { kind: 'failed', ...tried, ...failure, usage: used }
  const letters = order.items.map((_, at) => ((answered >> at) % 2 === 0 ? 's' : 'f')).join('')
  return answerTo(order, letters, { usage: used ?? 'unknown' })
}

const note: fc.Arbitrary<Deed> = fc
  .tuple(pick, fc.constantFrom('pending', 'failed', 'refused', 'answered', 'answered'), fc.nat(7), usage)
  .map(
    ([which, kind, answered, used]) =>
      (world) =>
        withOrder(world, which, (order) => {
          const isWhole = order.items.length === CHUNKS[order.chunk]?.items
          const polled = polledFor(order, isWhole ? kind : 'pending', answered, used)
          world.ledger.run((ctx) => noteAnswers(ctx, world.acting, [polled]))
        }),
  )

const open: fc.Arbitrary<Deed> = fc.tuple(chunk, fc.nat(3)).map(([number, most]) => (world) => {
  const order = world.ledger.run((ctx) => openOrder(ctx, world.speaker, number))
  const job = { input: '{}', inputRef: null, inputTokens: 1, fileIds: [] }
  const items = (order?.items ?? []).slice(0, most).map(({ position }) => ({ ...job, position }))
  if (order) world.ledger.run((ctx) => openItemJobs(ctx, world.speaker, triedOf(order), items))
  world.remember(order)
})

const withJob = (world: World, which: number, act: (job: JobRecord) => void) => {
  const all = world.ledger.db.select(jobColumns).from(jobs).all()
  const job = all[which % Math.max(1, all.length)]
  if (job) act(job)
}

const claim: fc.Arbitrary<Deed> = pick.map(
  (which) => (world) =>
    withJob(world, which, ({ id, attempt }) => {
      const request = { messageId: `${id}-${attempt}`, jobId: id, attempt: attempt + 1 }
      world.ledger.run((ctx) => claimJob(ctx, request, () => true))
    }),
)

/** A consumer that tells twice of an attempt tells the same. */
const usageOf = (attempt: number) => (attempt % 2 === 0 ? null : { inputTokens: 4, outputTokens: 2 })

const settle: fc.Arbitrary<Deed> = fc.tuple(pick, fc.boolean()).map(
  ([which, well]) =>
    (world) =>
      withJob(world, which, ({ id, attempt }) => {
        const outcome = well
          ? ({ kind: 'completed', output: '{}', outputRef: null } as const)
          : ({ kind: 'failed', class: 'invalid_output', retryAfterMs: null } as const)
        const settlement = { jobId: id, attempt, outcome, usage: usageOf(attempt), providerRequestId: null }
        if (attempt > 0) world.ledger.run((ctx) => settleJob(ctx, settlement))
      }),
)

const gather: fc.Arbitrary<Deed> = chunk.map((number) => (world) => {
  const order = world.ledger.run((ctx) => gatherOrder(ctx, world.speaker, number))
  if (order) world.ledger.run((ctx) => endGathering(ctx, world.speaker, answerTo(order, '')))
})

const time: fc.Arbitrary<Deed> = fc.constantFrom(1000, 61_000, HOUR_MS).map((ms) => ({ ledger }) => {
  ledger.pass(ms)
  for (const sweep of [sweepLeases, sweepDeadlines, sweepBatchDeadlines, sweepUnbooked, sweepBatchContent])
    ledger.run((ctx) => void sweep(ctx))
})

const replace: fc.Arbitrary<Deed> = fc.constant((world) => {
  world.instance = world.ledger.run((ctx) => nextInstance(ctx, world.id, world.instance)) ?? world.instance
})

const decide: fc.Arbitrary<Deed> = fc
  .constantFrom<Decision>('wait', 'wait', 'cancel', 'run_individually')
  .map((decision) => ({ ledger, id }) => {
    ledger.run((ctx) => decideBatch(ctx, id, decision))
  })

const cancel: fc.Arbitrary<Deed> = fc.constant(({ ledger, id }) => {
  const receipt = ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), id))
  const { usage: used, counts } = ledger.snapshot(id)
  if (!receipt.ok) return
  const { stopped, alreadyFinished, chargedMicroUsd } = receipt.value.value
  expect(stopped + alreadyFinished).toBe(counts.total)
  expect(chargedMicroUsd).toBe(used?.costMicroUsd ?? 0)
})

const often = (deed: fc.Arbitrary<Deed>, weight = 6) => ({ arbitrary: deed, weight })
const deeds = fc.array(
  fc.oneof(
    ...[look, begin, end, note, open, claim, settle].map((deed) => often(deed)),
    ...[gather, time].map((deed) => often(deed, 3)),
    ...[replace, decide, cancel].map((deed) => often(deed, 1)),
  ),
  { minLength: 20, maxLength: 80 },
)

/** What an observer remembers between two deeds. */
function seen({ ledger, id }: World) {
  const chunks = chunksOf(ledger.db, id)
  const total = (of: (row: (typeof chunks)[number]) => number) =>
    chunks.reduce((sum, row) => sum + of(row), 0)
  return {
    status: ledger.row(id).status,
    statuses: chunks.map(({ statuses }) => statuses).join(''),
    cost: total(({ costMicroUsd }) => costMicroUsd),
    tokens: total(({ inputTokens }) => inputTokens),
  }
}

function checkStep(before: ReturnType<typeof seen>, after: ReturnType<typeof seen>): void {
  expect(after.cost).toBeGreaterThanOrEqual(before.cost)
  for (const [at, status] of Array.from(before.statuses).entries())
    if (status !== 'p') expect(after.statuses[at]).toBe(status)
  if (before.status === 'cancelled') expect(after.cost).toBe(before.cost)
  if (isBatchOver(before.status))
    expect(after).toMatchObject({ status: before.status, statuses: before.statuses })
}

function checkBooks({ ledger, id }: World, { cost, tokens, statuses }: ReturnType<typeof seen>): void {
  expect(ledger.db.select().from(spend).get()?.microUsd ?? 0).toBe(cost)
  const singly = ledger.db.select().from(jobs).all()
  for (const { chunk, tries, estimateMicroUsd, costMicroUsd } of chunksOf(ledger.db, id)) {
    const own = singly.filter(({ batchChunk }) => batchChunk === chunk)
    const byJobs = own.reduce((sum, job) => sum + (job.costMicroUsd ?? 0), 0)
    expect(costMicroUsd - byJobs).toBeLessThanOrEqual(tries * estimateMicroUsd)
    expect(new Set(own.map(({ batchPosition }) => batchPosition)).size).toBe(own.length)
  }
  const [day, ...others] = ledger.db.select().from(usageDays).all()
  expect(others).toEqual([])
  const count = (letter: string) => statuses.split(letter).length - 1
  expect(
    day ?? { jobs: 0, items: 0, succeeded: 0, failed: 0, inputTokens: 0, costMicroUsd: 0 },
  ).toMatchObject({
    jobs: 0,
    items: statuses.length - count('p'),
    succeeded: count('s'),
    failed: count('f'),
    inputTokens: tokens,
    costMicroUsd: cost,
  })
}

function checkEnd({ ledger, id }: World): void {
  for (let sweeps = 0; sweeps < 3; sweeps++) {
    ledger.pass(HOUR_MS)
    for (const sweep of [sweepDeadlines, sweepBatchDeadlines]) ledger.run((ctx) => void sweep(ctx))
  }
  const { status, counts } = ledger.snapshot(id)
  expect(isBatchOver(status)).toBe(true)
  expect(counts.pending).toBe(0)
  const told = ledger.db
    .select()
    .from(events)
    .all()
    .map(({ type }) => type)
  expect(told).toHaveLength(2)
  expect(ledger.db.select().from(batches).all()).toHaveLength(1)
}

describe('whatever happens to a batch, in whatever order', () => {
  it('no item is lost, doubled or changed once it has ended, the books agree, and it ends by its deadline', () => {
    const budgets = fc.constantFrom(null, 0.09)
    const terms = fc.tuple(
      budgets,
      fc.constantFrom(...MODELS),
      fc.constantFrom('expire' as const, 'run_individually' as const),
    )
    fc.assert(
      fc.property(terms, deeds, (given, history) => {
        const world = new World(...given)
        for (const deed of history) {
          const before = seen(world)
          deed(world)
          const after = seen(world)
          checkStep(before, after)
          checkBooks(world, after)
        }
        checkEnd(world)
      }),
      { numRuns: 40 },
    )
  }, 60_000)
})
