import { describe, expect, it } from 'vitest'
import {
  type Confidentiality,
  confidentialities,
  costMicroUsd,
  findModel,
  type Model,
  maySee,
  models,
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
    for (const { id, provider } of models) expect(id).toMatch(new RegExp(`^${provider}/[a-z0-9-]+$`))
  })
})
