import { describe, expect, it } from 'vitest'
import { findModel } from '../../catalog/models.ts'
import { PlanBuilder } from './builder.ts'
import type { Line } from './lines.ts'

/** Builds the plan of these items; answers the IDs of files that were asked for, call by call. */
async function asked(items: readonly object[]): Promise<string[][]> {
  const calls: string[][] = []
  const model = findModel('embedded/extract-1')
  if (!model) throw new Error('No such model.')
  const builder = new PlanBuilder({
    rules: {
      ...{ kind: 'summarize', model, dimensions: null },
      ...{ confidentiality: 'internal', retentionSeconds: 86_400 },
    },
    work: {
      tenantId: 'acme',
      kind: 'summarize',
      processingVersion: '1',
      model: model.id,
      modelVersion: '1',
    },
    findFiles: async (ids) => {
      calls.push([...ids])
      return []
    },
    onFault: () => undefined,
    nameOf: String,
  })
  await builder.add(
    items.map((item, at): Line => {
      const text = JSON.stringify(item)
      return { line: at + 1, at: at * 1000, bytes: text.length, text, fault: null }
    }),
  )
  return calls
}

const item = (reference: string, input: object) => ({ external_reference: reference, input })

describe('files of items', () => {
  it('are asked for where items name any, each once', async () => {
    const file = { file_id: 'file_1' }

    expect(await asked([item('a', file), item('b', file), item('c', { text: 'A text.' })])).toEqual([
      ['file_1'],
    ])
    expect(await asked([item('a', { text: 'A text.' })])).toEqual([])
  })
})
