import { describe, expect, it } from 'vitest'
import type { KindName } from '../../catalog/kind.ts'
import type { ProviderName } from '../../catalog/models.ts'
import type { JobRequest } from '../../openapi/jobs.ts'
import { Problem } from '../problem.ts'
import { modelFor } from './job-request.ts'

const inputs: Partial<Record<KindName, object>> = {
  summarize: { text: 'x' },
  transcribe: { file_id: 'file_1' },
}
const asking = (kind: KindName, model?: string) =>
  ({ kind, input: inputs[kind], ...(model && { model }) }) as JobRequest

function refusalOf(request: JobRequest, ...names: ProviderName[]) {
  try {
    modelFor(request, new Set(names), {})
    return null
  } catch (error) {
    return error instanceof Problem ? error.members.errors?.[0] : error
  }
}

describe('the model of a job', () => {
  it.each([
    ['one that is configured', asking('transcribe'), ['embedded', 'openai'], 'openai/whisper-1'],
    [
      "the kind's, also where there is more",
      asking('summarize'),
      ['embedded', 'openai'],
      'embedded/extract-1',
    ],
    [
      'the one that was asked for',
      asking('summarize', 'openai/gpt-4o-mini'),
      ['openai'],
      'openai/gpt-4o-mini',
    ],
  ] as [string, JobRequest, ProviderName[], string][])('is %s', (_, request, names, expected) => {
    expect(modelFor(request, new Set(names), {}).id).toBe(expected)
  })

  it('that is disabled is not taken by default, and left to the ledger to refuse where there is no other', () => {
    const states = { 'embedded/extract-1': { version: '1', enabled: false } }
    const modelIn = (...names: ProviderName[]) => modelFor(asking('summarize'), new Set(names), states).id

    expect(modelIn('embedded', 'openai')).toBe('openai/gpt-4o-mini')
    expect(modelIn('embedded')).toBe('embedded/extract-1')
  })

  it('of a provider that is not configured is not known', () => {
    const refusal = refusalOf(asking('summarize', 'openai/gpt-4o-mini'), 'embedded', 'test', 'workers-ai')

    expect(refusal).toEqual({ pointer: '/model', detail: 'Unknown model.' })
  })

  it('is none where no model that is configured can do the kind, and the answer says so', () => {
    expect(refusalOf(asking('transcribe'), 'embedded', 'test')).toEqual({
      pointer: '/kind',
      detail: 'No model can transcribe here.',
    })
  })
})
