import { describe, expect, it } from 'vitest'
import type { ProviderName } from '../../catalog/models.ts'
import { BatchRequest } from '../../openapi/batch-requests.ts'
import { Problem } from '../problem.ts'
import { checkedBatch } from './batch-request.ts'

const all: readonly ProviderName[] = ['embedded', 'test', 'openai', 'workers-ai']
const asking = (more: object) => BatchRequest.parse({ kind: 'embed', items: [{}], ...more })

function refusalOf(request: BatchRequest, names: readonly ProviderName[] = all) {
  try {
    checkedBatch(request, new Set(names), {})
    return null
  } catch (error) {
    return error instanceof Problem ? error.members.errors : error
  }
}

describe('a batch request', () => {
  it('has defaults for what it leaves out', () => {
    expect(checkedBatch(asking({}), new Set(all), {})).toEqual({
      kind: 'embed',
      model: 'embedded/hash-1',
      modelVersion: '1',
      provider: 'embedded',
      processingVersion: '1',
      confidentiality: 'internal',
      retentionSeconds: 604_800,
      deadlineSeconds: 86_400,
      metadata: {},
      params: null,
      maxCostMicroUsd: null,
      onInvalid: 'fail',
      onDeadline: 'expire',
      onDuplicate: 'refuse',
    })
  })

  it('keeps what it says', () => {
    const said = {
      model: 'openai/text-embedding-3-small',
      processing_version: '7',
      params: { dimensions: 64 },
      max_cost_usd: 0.25,
      on_invalid: 'skip',
      on_deadline: 'run_individually',
      on_duplicate: 'run',
    }

    expect(checkedBatch(asking(said), new Set(all), {})).toMatchObject({
      model: 'openai/text-embedding-3-small',
      provider: 'openai',
      processingVersion: '7',
      params: '{"dimensions":64}',
      maxCostMicroUsd: 250_000,
      onInvalid: 'skip',
      onDeadline: 'run_individually',
      onDuplicate: 'run',
    })
  })

  it('is refused for a model that takes no batches, at the place that chose it', () => {
    expect(refusalOf(asking({ kind: 'transcribe', model: 'openai/whisper-1' }))).toEqual([
      { pointer: '/model', detail: 'openai/whisper-1 takes no batches.' },
    ])
    expect(refusalOf(asking({ kind: 'transcribe' }))).toEqual([
      { pointer: '/kind', detail: 'workers-ai/whisper-large-v3-turbo takes no batches.' },
    ])
  })

  it('is refused for a model that is not there', () => {
    expect(refusalOf(asking({ model: 'openai/text-embedding-3-small' }), ['embedded'])).toEqual([
      { pointer: '/model', detail: 'Unknown model.' },
    ])
  })
})
