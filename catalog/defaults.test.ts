import { describe, expect, it } from 'vitest'
import { defaultModelFor } from './defaults.ts'
import type { KindName } from './kind.ts'
import type { Configured, ModelStates, ProviderName } from './models.ts'

const only = (...names: ProviderName[]) => new Set(names)
const off = (...ids: string[]): ModelStates =>
  Object.fromEntries(ids.map((id) => [id, { version: '1', enabled: false }]))

describe('work that names no model', () => {
  it.each<[KindName, Configured, string[], string | null]>([
    ['transcribe', only('embedded', 'test'), [], null],
    ['transcribe', only('embedded', 'openai'), [], 'openai/whisper-1'],
    ['transcribe', only('openai', 'workers-ai'), [], 'workers-ai/whisper-large-v3-turbo'],
    ['embed', only('embedded', 'openai'), [], 'embedded/hash-1'],
    ['embed', only('embedded', 'openai'), ['embedded/hash-1'], 'openai/text-embedding-3-small'],
    ['embed', only('embedded', 'test'), ['embedded/hash-1'], 'embedded/hash-1'],
  ])('%s runs with %j, without %j, on %s', (kind, configured, disabled, id) => {
    expect(defaultModelFor(kind, configured, off(...disabled))?.id ?? null).toBe(id)
  })
})
