import { describe, expect, it } from 'vitest'
import {
  allowedCombinations,
  type Confidentiality,
  type Configured,
  confidentialities,
  costMicroUsd,
  findModel,
  isAllowed,
  isEnabled,
  isOffered,
  type Model,
  type ModelStates,
  maySee,
  models,
  type ProviderName,
} from './models.ts'

const [first] = models
const model = (rest: Partial<Model> = {}): Model => {
  if (!first) throw new Error('There is no model.')
  return { ...first, ...rest }
}
const priced = (inputUsdPerMillionTokens: number, outputUsdPerMillionTokens: number, usdPerJob: number) =>
  model({ price: { inputUsdPerMillionTokens, outputUsdPerMillionTokens, usdPerJob } })

describe('the cost of an attempt', () => {
  it.each([
    ['nothing for a model that is free', priced(0, 0, 0), 1_000_000, 1_000_000, 0],
    ['the price of a job', priced(0, 0, 0.01), 500, 500, 10_000],
    ['the price of a million tokens in', priced(3, 15, 0), 1_000_000, 0, 3_000_000],
    ['the price of a million tokens out', priced(3, 15, 0), 0, 1_000_000, 15_000_000],
    ['all of these together', priced(3, 15, 0.01), 1000, 100, 3000 + 1500 + 10_000],
    ['rounded up to the next micro-dollar', priced(0.5, 0, 0), 3, 0, 2],
    ['at least one micro-dollar where there is a price', priced(0.01, 0, 0), 1, 0, 1],
    ['not raised by a binary fraction', priced(1.1, 0, 0), 100, 0, 110],
    ['nothing for no tokens', priced(3, 15, 0), 0, 0, 0],
  ])('is %s', (_, of, inputTokens, outputTokens, cost) => {
    expect(costMicroUsd(of, inputTokens, outputTokens)).toBe(cost)
  })
})

describe('a provider', () => {
  const only = (...names: ProviderName[]) => new Set(names)

  it('that is not configured offers no model', () => {
    const offered = models.filter((one) => isOffered(one, only('embedded', 'workers-ai'), {}))

    expect(new Set(offered.map(({ provider }) => provider))).toEqual(only('embedded', 'workers-ai'))
  })

  it('that is not configured runs no job that was accepted before', () => {
    const allowed = (configured: Configured) =>
      isAllowed(configured, {}, 'openai/gpt-4o-mini', 'report', 'internal')

    expect([allowed(only('embedded')), allowed(only('openai'))]).toEqual([false, true])
  })

  it('has its combinations listed as a database filters by them', () => {
    const listed = JSON.parse(allowedCombinations(only('openai'), {}, () => false)) as string[]

    expect(listed).toContain('openai/whisper-1|transcribe|internal')
    expect(listed).not.toContain('openai/whisper-1|transcribe|confidential')
    expect(listed.every((one) => one.startsWith('openai/'))).toBe(true)
  })

  it('has those listed alone that are not held', () => {
    const held = (id: string, kind: string) => id === 'embedded/hash-1' && kind === 'embed'
    const listed = JSON.parse(allowedCombinations(only('embedded'), {}, held)) as string[]

    expect(listed).toContain('embedded/hash-1|classify|internal')
    expect(listed.filter((one) => one.includes('|embed|'))).toEqual([])
  })

  it.each(['openai', 'workers-ai'] as const)(
    '%s has limits that all tenants share, and a price',
    (provider) => {
      for (const one of models.filter((row) => row.provider === provider)) {
        expect(Math.min(...Object.values(one.limits ?? { none: 0 }))).toBeGreaterThan(0)
        expect(costMicroUsd(one, 1_000_000, 0)).toBeGreaterThan(0)
      }
    },
  )

  it('takes audio up to a size exactly where its model transcribes', () => {
    for (const one of models.filter(({ provider }) => provider !== 'test'))
      expect([one.id, one.maxAudioBytes !== null]).toEqual([one.id, one.kinds.includes('transcribe')])
  })
})

describe('a model takes work', () => {
  const state = (version: string, enabled: boolean) => ({ 'acme/one': { version, enabled } })
  const takes = (enabled: boolean, states: ModelStates) =>
    isEnabled(model({ id: 'acme/one', version: '2', enabled }), states)

  it('as the catalog says where nothing was decided', () => {
    expect([takes(true, {}), takes(false, {})]).toEqual([true, false])
  })

  it('not once it is disabled, in whatever version', () => {
    expect([takes(true, state('2', false)), takes(true, state('1', false))]).toEqual([false, false])
  })

  it('once its version is enabled, and not for what was said of another', () => {
    expect([takes(false, state('2', true)), takes(false, state('1', true))]).toEqual([true, false])
    expect(takes(true, state('1', true))).toBe(true)
  })
})

describe('a model', () => {
  it.each<[Confidentiality, Confidentiality[]]>([
    ['public', ['public']],
    ['internal', ['public', 'internal']],
    ['confidential', ['public', 'internal', 'confidential']],
    ['restricted', ['public', 'internal', 'confidential', 'restricted']],
  ])('for up to %s content may see %j', (maxConfidentiality, levels) => {
    const seen = confidentialities.filter((level) => maySee(model({ maxConfidentiality }), level))

    expect(seen).toEqual(levels)
  })

  it('is found by its ID, and only by that', () => {
    expect(models.map(({ id }) => findModel(id))).toEqual(models)
    expect(['', 'embedded', 'constructor', '__proto__'].map(findModel)).toEqual(Array(4).fill(undefined))
  })

  it('has an ID of its own that starts with its provider', () => {
    expect(new Set(models.map(({ id }) => id)).size).toBe(models.length)
    for (const { id, provider } of models) expect(id).toMatch(new RegExp(`^${provider}/[a-z0-9.-]+$`))
  })
})
