import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Failure } from '../../ledger/judge.ts'
import { ChunkPermits } from './chunk-permits.ts'
import { type CallReport, GatePolicy, type OpenCall, type PermitRequest } from './policy.ts'

const logged = vi.spyOn(console, 'log')
beforeAll(() => void logged.mockImplementation(() => undefined))
afterAll(() => vi.restoreAllMocks())

/** Its chunks are limited, over all tenants. */
const MODEL = 'workers-ai/bge-m3'
const MINUTE = 60_000

/** Permits of a batch at a gate that lets through so many chunks; `reach` says whether it can be called. */
function permitsAt(concurrent: number, reach: { is: boolean } = { is: true }) {
  const limits = { requestsPerMinute: 1000, tokensPerMinute: 1000, concurrent }
  const policy = new GatePolicy(limits, { permitMs: 15 * MINUTE, pauseMs: 1000 }, Date.now())
  const reports: CallReport[] = []
  const names = new Set<string>()
  const gate = {
    ask: async (_: string, asked: PermitRequest[]) => asked.map((one) => policy.ask(one, Date.now())),
    hold: async (_: string, held: OpenCall[]) => held.forEach((one) => void policy.hold(one, Date.now())),
    report: async (_: string, reported: CallReport[]) => {
      reports.push(...reported)
      for (const one of reported) policy.report(one, Date.now())
    },
  }
  const getByName = (name: string) => {
    names.add(name)
    if (!reach.is) throw new Error('The gate cannot be reached.')
    return gate
  }
  const gates = { getByName } as unknown as ConsumersEnv['GATES']
  const of = (batchId: string) => new ChunkPermits({ gates, tenantId: 'acme', batchId })
  return { permits: of('batch_1'), of, reports, names }
}

const failed = (name: Failure['class'], retryAfterMs: number | null = null): Failure => ({
  class: name,
  retryAfterMs,
})

describe('a permit of a chunk', () => {
  it('is held from the submission until the answer is there, by one name', async () => {
    const { permits, names } = permitsAt(1)

    expect(await permits.closedUntil(MODEL, 0, '1.1')).toBeNull()
    await permits.areOut(MODEL, [0])
    expect(await permits.closedUntil(MODEL, 1, '1.2')).toBeGreaterThan(Date.now())
    await permits.ended(MODEL, 0, 'answered')

    expect(await permits.closedUntil(MODEL, 1, '1.3')).toBeNull()
    expect([...names]).toEqual([`${MODEL}#batch`])
  })

  it('is given back where nothing came of the submission', async () => {
    const { permits } = permitsAt(1)

    await permits.closedUntil(MODEL, 0, '1.1')
    await permits.notSubmitted(MODEL, 0, '1.1', null)

    expect(await permits.closedUntil(MODEL, 1, '1.2')).toBeNull()
  })

  it('is another one on each occasion, and the same when a step is repeated', async () => {
    const { permits } = permitsAt(1)
    await permits.areOut(MODEL, [7])

    expect(await permits.closedUntil(MODEL, 0, '1.1')).not.toBeNull()
    await permits.ended(MODEL, 7, 'answered')

    expect(await permits.closedUntil(MODEL, 0, '1.1')).not.toBeNull()
    expect(await permits.closedUntil(MODEL, 0, '1.2')).toBeNull()
  })

  it('of one batch is not that of another', async () => {
    const { permits, of } = permitsAt(2)

    await permits.areOut(MODEL, [0])
    await of('batch_2').areOut(MODEL, [0])

    expect(await permits.closedUntil(MODEL, 1, '1.1')).not.toBeNull()
  })

  it.each(['rate_limited', 'provider_overloaded'] as const)(
    'closes the gate for a while where the provider says %s',
    async (refusal) => {
      const { permits } = permitsAt(10)
      await permits.closedUntil(MODEL, 0, '1.1')

      await permits.notSubmitted(MODEL, 0, '1.1', failed(refusal, MINUTE / 2))

      expect(await permits.closedUntil(MODEL, 1, '1.2')).toBeGreaterThan(Date.now() + MINUTE / 3)
    },
  )

  it('says how a chunk ended: a failure of another kind does not close the gate, and no answer opens it', async () => {
    const { permits, reports } = permitsAt(10)

    await permits.notSubmitted(MODEL, 0, '1.1', failed('provider_unavailable', 5 * MINUTE))
    await permits.notSubmitted(MODEL, 1, '1.1', null)
    await permits.ended(MODEL, 2, 'other')
    await permits.ended(MODEL, 3, 'answered')

    expect(reports.map(({ outcome }) => outcome)).toEqual(['other', 'other', 'other', 'answered'])
    expect(await permits.closedUntil(MODEL, 4, '1.2')).toBeNull()
  })

  it('is not given by a gate that cannot be reached, and what is reported to it is lost without harm', async () => {
    const { permits } = permitsAt(10, { is: false })

    expect(await permits.closedUntil(MODEL, 0, '1.1')).toBeGreaterThan(Date.now() + 4000)
    await permits.areOut(MODEL, [0])
    await permits.notSubmitted(MODEL, 0, '1.1', null)
    await permits.ended(MODEL, 0, 'answered')

    expect(logged.mock.calls.flat().join()).toContain('gate.call_failed')
  })

  it('is not needed for a model whose chunks are not limited', async () => {
    const { permits, names } = permitsAt(0, { is: false })

    expect(await permits.closedUntil('embedded/hash-1', 0, '1.1')).toBeNull()
    await permits.areOut('embedded/hash-1', [0])

    expect([...names]).toEqual([])
  })
})
