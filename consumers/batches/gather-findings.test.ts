import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ChunkAnswer, ChunkOrder, ItemResult } from '../../ledger/batches/protocol.ts'
import type { LedgerStub } from '../../ledger/call.ts'
import type { Desk } from './desk.ts'
import { gatherChunk } from './gather.ts'

beforeAll(() => void vi.spyOn(console, 'log').mockImplementation(() => undefined))
afterAll(() => vi.restoreAllMocks())

const LINES = ['Born free in 1948.', 'Equal in dignity.', 'Endowed with reason.', 'A spirit of brotherhood.']
const source = LINES.map((text) => `${JSON.stringify({ input: { text } })}\n`)

const order = {
  chunk: 0,
  epoch: 0,
  tries: 0,
  kind: 'summarize',
  model: 'embedded/extract-1',
  sourceRef: 'source',
  items: source.map((line, position) => ({
    position,
    index: position,
    line: position + 1,
    reference: `r${position}`,
    key: `key-${position}`,
    at: source.slice(0, position).join('').length,
    bytes: line.length - 1,
  })),
} as unknown as ChunkOrder

const result = (position: number, more: Partial<ItemResult> = {}): ItemResult => ({
  position,
  status: 'succeeded',
  errorClass: null,
  output: JSON.stringify({ summary: LINES[position] }),
  outputRef: null,
  usage: null,
  modelVersion: '1',
  ...more,
})

/** Gathers these results, of which the ledger tells one at a time; answers what the ledger was told, and the stored lines. */
async function gathered(results: readonly ItemResult[]) {
  const lines: string[] = []
  const told: ChunkAnswer[] = []
  const verbs = {
    gatherOrder: async () => order,
    itemResults: async (_: unknown, __: number, after: number) =>
      results.filter(({ position }) => position > after).slice(0, 1),
    endGathering: async (_: unknown, answer: ChunkAnswer) => told.push(answer),
  } as unknown as LedgerStub
  const content = {
    get: async (ref: string, more?: { range: { offset: number; length: number } }) => {
      if (ref !== 'source' || !more) return null
      const { offset, length } = more.range
      return { body: new Blob([source.join('').slice(offset, offset + length)]).stream() }
    },
    put: async (_: string, bytes: Uint8Array) => void lines.push(new TextDecoder().decode(bytes)),
  }
  const acting = { batchId: 'batch_1', instance: 1 }
  const ledger = <T>(call: (stub: LedgerStub) => Promise<T>) => call(verbs)
  await gatherChunk({ tenantId: 'acme', acting, content, ledger } as unknown as Desk, 0)
  const stored = lines.join('').trimEnd().split('\n')
  return { answer: told[0], lines: stored.map((line) => JSON.parse(line)) }
}

describe('what gathering finds', () => {
  it('is which outputs their texts do not hold, and which broke their contract, by reference', async () => {
    const invented = JSON.stringify({ summary: 'Signed by Napoleon in 1815.' })
    const { answer, lines } = await gathered([
      result(0, { output: invented }),
      result(1, { modelVersion: '2' }),
      result(2, { status: 'failed', errorClass: 'invalid_output', output: null }),
      result(3, { status: 'expired', errorClass: 'deadline_exceeded', output: null, modelVersion: '2' }),
    ])

    expect(answer).toMatchObject({
      statuses: 'ssff',
      findings: { unknown: 0, missing: [], duplicate: [], empty: [], invalid: ['r2'], unfounded: ['r0'] },
      modelVersion: '1',
    })
    expect(lines.map(({ error }) => error?.class)).toEqual([
      undefined,
      undefined,
      'invalid_output',
      'deadline_exceeded',
    ])
    expect(lines.map(({ output }) => output?.summary)).toEqual([
      'Signed by Napoleon in 1815.',
      LINES[1],
      undefined,
      undefined,
    ])
  })

  it('is nothing of an output that its owner has deleted', async () => {
    const { answer, lines } = await gathered([0, 1, 2, 3].map((at) => result(at, { output: null })))

    expect(answer).toMatchObject({ statuses: 'ssss', findings: { unfounded: [] } })
    expect(lines.map(({ output }) => output)).toEqual([null, null, null, null])
  })

  it.each<[string, ItemResult[]]>([
    ['an item without a result', [result(0), result(1), result(2)]],
    ['a result of another item', [result(0), result(2), result(3)]],
    [
      'an output that is gone',
      [result(0, { output: null, outputRef: 'lost' }), result(1), result(2), result(3)],
    ],
  ])('that is %s ends it: nothing is told, and it is done again', async (_, results) => {
    await expect(gathered(results)).rejects.toThrow()
  })
})
