import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { BatchLedger, lookWork, plannedChunks, startedBatch } from '../../ledger/batches/batches.fixture.ts'
import { noteAnswers } from '../../ledger/batches/note-answers.ts'
import { pollOrders } from '../../ledger/batches/orders.ts'
import type { Acting, Polled } from '../../ledger/batches/protocol.ts'
import { begun, ended } from '../../ledger/batches/submissions.fixture.ts'
import type { LedgerStub } from '../../ledger/call.ts'
import { bucket } from '../providers/embedded/memory.fixture.ts'
import { embeddedBatch } from '../providers/embedded-batch.ts'
import type { Desk } from './desk.ts'
import { pollChunks } from './poll.ts'

beforeAll(() => void vi.spyOn(console, 'log').mockImplementation(() => undefined))
afterAll(() => vi.restoreAllMocks())

const ITEMS = 1000
/** Where the manifest says that it lies. */
const line = (at: number) => `{"input":{"texts":["A text, number ${at}."]}}`.padEnd(99)
const source = new TextEncoder().encode(Array.from({ length: ITEMS }, (_, at) => `${line(at)}\n`).join(''))

/** A batch of one chunk, which the embedded provider has taken; what is read of its source is counted. */
async function sentChunk({ isGone = false } = {}) {
  const ledger = new BatchLedger()
  const model = { kind: 'embed', model: 'embedded/hash-1', provider: 'embedded' } as const
  const acting = startedBatch(ledger, plannedChunks([ITEMS]), model)
  lookWork(ledger, acting)
  const order = begun(ledger, acting)
  const provider = embeddedBatch({ content: bucket(), folder: 'batch/', readyMs: 1, now: () => ledger.now })
  const outcome = await provider.submit({ ...order, params: {}, items: [], signal: AbortSignal.timeout(1) })
  if (outcome.kind !== 'accepted') throw new Error(outcome.kind)
  ended(ledger, acting, order, { kind: 'accepted', providerRequestId: outcome.requestId })

  const reads: R2Range[] = []
  const stored: string[] = []
  const content = {
    async get(_: string, { range }: { range: { offset: number; length: number } }) {
      reads.push(range)
      const body = new Blob([source.slice(range.offset, range.offset + range.length)]).stream()
      return isGone ? null : { body }
    },
    put: async (_: string, lines: string) => void stored.push(lines),
  }
  const verbs = {
    pollOrders: async (by: Acting, chunks: number[]) => ledger.run((ctx) => pollOrders(ctx, by, chunks)),
    noteAnswers: async (by: Acting, polled: Polled[]) => ledger.run((ctx) => noteAnswers(ctx, by, polled)),
  } as unknown as LedgerStub
  const desk = {
    tenantId: 'acme',
    acting,
    content,
    permits: { areOut: async () => undefined, ended: async () => undefined },
    timeoutMs: 10_000,
    providerOf: () => provider,
    ledger: <T>(call: (stub: LedgerStub) => Promise<T>) => call(verbs),
  } as unknown as Desk
  return { ledger, acting, desk, reads, stored }
}

describe('a chunk that is polled', () => {
  it('costs no read of its source while it is pending, and one when its answer is there', async () => {
    const { ledger, acting, desk, reads, stored } = await sentChunk()

    for (let polls = 0; polls < 3; polls++) expect(await pollChunks(desk, [0])).toEqual({ pending: 1 })
    expect(reads).toEqual([])
    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({ state: 'submitted', polls: 3 })

    ledger.pass(1)
    expect(await pollChunks(desk, [0])).toEqual({ answered: 1 })

    expect(reads).toEqual([{ offset: 0, length: ITEMS * 100 - 1 }])
    expect(stored.join('').trimEnd().split('\n')).toHaveLength(ITEMS)
    expect(ledger.snapshot(acting.batchId)).toMatchObject({
      status: 'completed',
      counts: { succeeded: ITEMS },
    })
  })

  it('has failed of a fault of ours when its answer is there and its source is not', async () => {
    const { ledger, acting, desk } = await sentChunk({ isGone: true })
    ledger.pass(1)

    expect(await pollChunks(desk, [0])).toEqual({ failed: 1 })

    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({ state: 'planned', failures: { internal: 1 } })
  })
})
