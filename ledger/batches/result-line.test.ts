import { describe, expect, it } from 'vitest'
import { findModel } from '../../catalog/models.ts'
import { BatchResultLine } from '../../openapi/batch-contents.ts'
import { itemClasses } from '../../openapi/batch-states.ts'
import { endWithout, itemError, resultLine } from './result-line.ts'

const name = { reference: 'a:1', index: 7 }
const head = { external_reference: 'a:1', index: 7 }
const model = findModel('workers-ai/bge-m3')
if (!model) throw new Error()

/** What a line says; all of it is in the schema that the document shows. */
function said(line: string): unknown {
  const object: unknown = JSON.parse(line)
  expect(BatchResultLine.parse(object)).toEqual(object)
  return object
}

describe('a line of the results', () => {
  it('is one of NDJSON, with the output as it is', () => {
    const line = resultLine(
      name,
      { status: 'succeeded', output: { summary: 'a\nb\u2028' } },
      { inputTokens: 1_000_000, outputTokens: 0 },
      model,
    )

    expect(line.indexOf('\n')).toBe(line.length - 1)
    expect(said(line)).toEqual({
      ...head,
      status: 'succeeded',
      output: { summary: 'a\nb\u2028' },
      usage: { input_tokens: 1_000_000, output_tokens: 0, cost_usd: 0.012 },
    })
  })

  it('says of an output that is gone that it has been deleted', () => {
    const line = resultLine(name, { status: 'succeeded', output: null }, null, model)

    expect(said(line)).toEqual({
      ...head,
      status: 'succeeded',
      output: null,
      content_deleted: true,
      usage: null,
    })
  })

  it('tells what an item failed of', () => {
    const line = resultLine(name, { status: 'failed', class: 'missing_result' }, null, model)

    expect(said(line)).toEqual({
      ...head,
      status: 'failed',
      error: {
        class: 'missing_result',
        message: 'The provider gave no result for the item.',
        retryable: true,
      },
      usage: null,
    })
  })

  it.each([
    [{ status: 'cancelled', class: null }, null],
    [endWithout('cancelled', null), null],
    [{ status: 'expired', class: 'deadline_exceeded' }, { class: 'deadline_exceeded' }],
    [endWithout('expired', null), { class: 'internal' }],
  ] as const)('tells of an item that ended as %j', (end, error) => {
    const told = said(resultLine(name, end, null, model))

    expect(told).toMatchObject({ ...head, status: end.status, usage: null })
    expect(told).toHaveProperty('error', error && expect.objectContaining(error))
  })

  it('has a message of its own for each class', () => {
    const messages = itemClasses.map((one) => itemError(one).message)

    expect(new Set(messages).size).toBe(itemClasses.length)
  })
})
