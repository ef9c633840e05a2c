import { describe, expect, it } from 'vitest'
import { failureClasses } from '../../openapi/job-words.ts'
import { chunkOf, failure, nothing, summary, texts, verified } from './verify.fixture.ts'

describe('the answer to a chunk', () => {
  it('is a line for each item in the order of the items, whatever its own', () => {
    const usage = { inputTokens: 8, outputTokens: 2 }
    const answers = [summary(2), failure(0, 'content_filtered'), { ...summary(1), usage }]

    const { statuses, errors, usages, findings, results } = verified(chunkOf('summarize', texts(3)), answers)

    expect([statuses, errors, usages]).toEqual(['fss', { 0: 'content_filtered' }, [null, [8, 2], null]])
    expect(findings).toEqual(nothing)
    expect(results).toEqual([
      {
        external_reference: 'r0',
        index: 100,
        status: 'failed',
        error: {
          class: 'content_filtered',
          message: 'The provider refused the content.',
          retryable: false,
        },
        usage: null,
      },
      {
        external_reference: 'r1',
        index: 101,
        status: 'succeeded',
        output: { summary: 'Born free.' },
        usage: { input_tokens: 8, output_tokens: 2, cost_usd: 0.01 },
      },
      {
        external_reference: 'r2',
        index: 102,
        status: 'succeeded',
        output: { summary: 'Born free.' },
        usage: null,
      },
    ])
  })

  it('has no usage by item where the provider counts none', () => {
    expect(verified(chunkOf('summarize', texts(1)), [summary(0)]).usages).toBeNull()
  })

  it('counts what both results of an item took', () => {
    const usage = { inputTokens: 5, outputTokens: 1 }
    const answers = [
      { ...summary(0), usage },
      { ...summary(0), usage },
    ]

    expect(verified(chunkOf('summarize', texts(1)), answers).usages).toEqual([[10, 2]])
  })

  it('tells failures in our own words', () => {
    const classes = failureClasses.map((name, place) => failure(place, name))
    const chunk = chunkOf('summarize', texts(classes.length + 1))

    const { results } = verified(chunk, classes)

    const messages = results.map(({ error }) => error.message)
    expect(new Set(messages).size).toBe(messages.length)
    for (const message of messages) expect(message).toMatch(/^The (?!job).+\.$/)
  })
})
