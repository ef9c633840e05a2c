import { describe, expect, it } from 'vitest'
import { models } from '../../catalog/models.ts'
import { test } from './test.ts'

const offered = models.filter(({ provider }) => provider === 'test').map(({ id }) => id)

describe('a model that misbehaves on purpose', () => {
  it.each(offered)('%s is known to its provider', async (model) => {
    const request = {
      kind: 'summarize' as const,
      model,
      input: { text: 'All human beings are born free.' },
      params: {},
      audio: null,
      attempt: 1,
      idempotencyKey: 'job_1-0',
      traceparent: null,
      signal: AbortSignal.abort(new Error('Not that long.')),
    }

    const attempt = await test.run(request).catch(() => null)

    expect(attempt).not.toMatchObject({ class: 'model_not_found' })
  })
})
