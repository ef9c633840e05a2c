import { describe, expect, it } from 'vitest'
import { findModel } from '../../catalog/models.ts'
import { BatchResultLine } from '../../openapi/batch-contents.ts'
import { type Item, itemView, lineOf } from './batch-item.ts'

const model = findModel('openai/text-embedding-3-small') ?? null
const item: Item = {
  reference: 'ticket-1',
  index: 7,
  status: 'failed',
  chunk: 2,
  errorClass: 'missing_result',
  usage: [1_000_000, 0],
}
const missing = {
  class: 'missing_result',
  message: 'The provider gave no result for the item.',
  retryable: true,
}

describe('an item of a batch', () => {
  it('is shown with its error and what it used, at the price of its model', () => {
    expect(itemView(item, model)).toEqual({
      external_reference: 'ticket-1',
      index: 7,
      status: 'failed',
      chunk: 2,
      error: missing,
      usage: { input_tokens: 1_000_000, output_tokens: 0, cost_usd: 0.02 },
    })
  })

  it('is shown without what it used where nobody counted, or the model has no price any more', () => {
    expect(itemView({ ...item, usage: null }, model).usage).toBeNull()
    expect(itemView(item, null).usage).toBeNull()
  })
})

describe('the line of an item that has none in an object', () => {
  const line = (more: Partial<Item>) =>
    JSON.parse(lineOf({ ...item, usage: null, ...more }, model)) as unknown

  it.each<[Item['status'], Item['errorClass'], object]>([
    ['failed', 'missing_result', { error: missing }],
    [
      'expired',
      'deadline_exceeded',
      {
        error: {
          class: 'deadline_exceeded',
          message: 'The item did not finish in time.',
          retryable: true,
        },
      },
    ],
    ['cancelled', null, { error: null }],
    ['succeeded', null, { output: null, content_deleted: true }],
  ])('says that it %s', (status, errorClass, told) => {
    const expected = { external_reference: 'ticket-1', index: 7, status, ...told, usage: null }

    expect(line({ status, errorClass })).toEqual(expected)
    expect(BatchResultLine.parse(expected)).toEqual(expected)
  })

  it('is none for one that is pending', () => {
    expect(lineOf({ ...item, status: 'pending' }, model)).toBe('')
  })
})
