import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ChunkItem, ChunkOrder } from '../../ledger/batches/protocol.ts'
import { BrokenSource, inputsOf, readableInputs } from './chunk-content.ts'
import type { Desk } from './desk.ts'

const logged = vi.spyOn(console, 'log')
beforeAll(() => void logged.mockImplementation(() => undefined))
afterAll(() => vi.restoreAllMocks())

const LINES = ['{"input":{"text":"one"}}', '{"input":{"text":"two"}}']

/** The items of these lines, which follow each other. */
const itemsOf = (lines: readonly string[]): ChunkItem[] =>
  lines.map((line, position) => ({
    position,
    index: position,
    line: position + 1,
    reference: `r${position}`,
    key: `key-${position}`,
    at: lines.slice(0, position).reduce((sum, { length }) => sum + length + 1, 0),
    bytes: line.length,
  }))

/** A bucket with this source, from which a range is read as it is there; null: it is gone. */
const bucketWith = (source: string | null) =>
  ({
    async get(
      _: string,
      { range: { offset = 0, length = 0 } }: { range: { offset?: number; length?: number } },
    ) {
      if (source === null) return null
      return { body: new Blob([source.slice(offset, offset + length)]).stream() }
    },
  }) as unknown as R2Bucket

async function inputsIn(source: string | null, items = itemsOf(LINES)): Promise<unknown[]> {
  const inputs: unknown[] = []
  for await (const { input } of inputsOf(items, 'ref', bucketWith(source))) inputs.push(input)
  return inputs
}

const whole = LINES.join('\n')

describe('the inputs of a chunk', () => {
  it('are read from where the manifest says', async () => {
    expect(await inputsIn(whole)).toEqual([{ text: 'one' }, { text: 'two' }])
  })

  it.each<[string, string | null]>([
    ['is gone', null],
    ['ends before its last item', whole.slice(0, -1)],
    ['is empty', ''],
    ['holds another text there', whole.replace('{', '[')],
  ])('are none where the source %s', async (_, source) => {
    await expect(inputsIn(source)).rejects.toThrow(BrokenSource)
  })

  it('go to the provider under our own keys, never under the references of the customer', async () => {
    const desk = { content: bucketWith(whole) } as unknown as Desk
    const order = { items: itemsOf(LINES), sourceRef: 'ref' } as unknown as ChunkOrder

    expect(await readableInputs(desk, order)).toEqual([
      { reference: 'key-0', input: { text: 'one' } },
      { reference: 'key-1', input: { text: 'two' } },
    ])
  })

  it('that cannot be read are told, without what they hold', async () => {
    const acting = { batchId: 'batch_1', instance: 1 }
    const desk = { tenantId: 'acme', acting, content: bucketWith('{"input":"secret') } as unknown as Desk
    const order = { items: itemsOf(LINES), sourceRef: 'ref', chunk: 0, epoch: 0, tries: 1 }

    expect(await readableInputs(desk, order as unknown as ChunkOrder)).toBeNull()
    expect(logged.mock.calls.flat().join()).toContain('batch.source_broken')
    expect(logged.mock.calls.flat().join()).not.toContain('secret')
  })

  it('that cannot be read for another reason are no broken source', async () => {
    const content = { get: () => Promise.reject(new Error('R2 is away.')) } as unknown as R2Bucket
    const order = { items: itemsOf(LINES), sourceRef: 'ref' } as unknown as ChunkOrder

    await expect(readableInputs({ content } as unknown as Desk, order)).rejects.toThrow('R2 is away.')
  })
})
