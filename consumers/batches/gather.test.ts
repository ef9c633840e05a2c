import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  BatchLedger,
  callAt,
  lookWork,
  plannedChunks,
  startedBatch,
  triedOf,
} from '../../ledger/batches/batches.fixture.ts'
import { endGathering, gatherOrder, itemResults } from '../../ledger/batches/gather.ts'
import { openItemJobs, openOrder } from '../../ledger/batches/item-jobs.ts'
import type { Acting, ChunkAnswer } from '../../ledger/batches/protocol.ts'
import { rerunBatch } from '../../ledger/batches/rerun-batch.ts'
import type { RerunOrder } from '../../ledger/batches/rerun-terms.ts'
import type { LedgerStub } from '../../ledger/call.ts'
import { claimJob } from '../../ledger/claim.ts'
import { deleteJob } from '../../ledger/delete.ts'
import { jobs } from '../../ledger/schema.ts'
import { settleJob } from '../../ledger/settle.ts'
import type { Desk } from './desk.ts'
import { gatherChunk } from './gather.ts'

beforeAll(() => void vi.spyOn(console, 'log').mockImplementation(() => undefined))
afterAll(() => vi.restoreAllMocks())

const OUTPUT = '{"embeddings":[[1]],"dimensions":1}'

/** A batch whose items run singly; answers the jobs of its items in their order. */
function opened(ledger: BatchLedger, items: number): { acting: Acting; ids: string[] } {
  const acting = startedBatch(ledger, plannedChunks([items], { path: 'jobs' }), { kind: 'embed' })
  lookWork(ledger, acting)
  const order = ledger.run((ctx) => openOrder(ctx, acting, 0))
  if (!order) throw new Error('Nothing to open.')
  const item = { input: '{"texts":["a"]}', inputRef: null, inputTokens: 1, fileIds: [] }
  const all = order.items.map(({ position }) => ({ ...item, position }))
  ledger.run((ctx) => openItemJobs(ctx, acting, triedOf(order), all))
  const rows = ledger.db.select({ id: jobs.id }).from(jobs).orderBy(jobs.batchPosition).all()
  return { acting, ids: rows.map(({ id }) => id) }
}

function succeeded(ledger: BatchLedger, jobId: string): void {
  ledger.run((ctx) => claimJob(ctx, { messageId: jobId, jobId, attempt: 1 }, () => true))
  const outcome = { kind: 'completed', output: OUTPUT, outputRef: null } as const
  const settlement = { jobId, attempt: 1, outcome, usage: null, providerRequestId: null }
  ledger.run((ctx) => settleJob(ctx, settlement))
}

/** Gathers, with the ledger's own verbs; answers the lines that were stored. */
async function gathered(ledger: BatchLedger, acting: Acting) {
  const stored: string[] = []
  const verbs = {
    gatherOrder: async (by: Acting, chunk: number) => ledger.run((ctx) => gatherOrder(ctx, by, chunk)),
    itemResults: async (by: Acting, chunk: number, after: number) =>
      ledger.run((ctx) => itemResults(ctx, by, chunk, after)),
    endGathering: async (by: Acting, answer: ChunkAnswer) =>
      ledger.run((ctx) => endGathering(ctx, by, answer)),
  } as unknown as LedgerStub
  const desk = {
    tenantId: 'acme',
    acting,
    content: {
      put: async (_: string, bytes: Uint8Array) => void stored.push(new TextDecoder().decode(bytes)),
    },
    ledger: <T>(call: (stub: LedgerStub) => Promise<T>) => call(verbs),
  } as unknown as Desk
  await gatherChunk(desk, 0)
  return stored
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('outputs of items that ran singly', () => {
  it('are put together in input order; one whose job was deleted before stays a success, and its line says that it is gone', async () => {
    const ledger = new BatchLedger()
    const { acting, ids } = opened(ledger, 2)
    const [first = '', second = ''] = ids
    succeeded(ledger, second)
    ledger.run((ctx) => deleteJob(ctx, second))
    succeeded(ledger, first)

    const lines = await gathered(ledger, acting)

    expect(lines).toMatchObject([
      { external_reference: 'r0', index: 0, status: 'succeeded', output: JSON.parse(OUTPUT) },
      { external_reference: 'r1', index: 1, status: 'succeeded', output: null, content_deleted: true },
    ])
    expect(ledger.snapshot(acting.batchId)).toMatchObject({ status: 'completed', counts: { succeeded: 2 } })
    // Whoever deletes a result does not ask for it, and its price, once more.
    const order = { mode: 'incomplete_only' } as RerunOrder
    const rerun = ledger.run((ctx) => rerunBatch(ctx, callAt(ledger.now), acting.batchId, order))
    expect(rerun).toMatchObject({ refusal: { errors: [{ pointer: '/mode' }] } })
  })

  it('are those of items that have one: one whose job was deleted before it ran is cancelled', async () => {
    const ledger = new BatchLedger()
    const { acting, ids } = opened(ledger, 2)
    const [first = '', second = ''] = ids
    ledger.run((ctx) => deleteJob(ctx, second))
    succeeded(ledger, first)

    const lines = await gathered(ledger, acting)

    expect(lines.map(({ status }) => status)).toEqual(['succeeded', 'cancelled'])
    expect(ledger.snapshot(acting.batchId)).toMatchObject({ counts: { succeeded: 1, cancelled: 1 } })
  })
})
