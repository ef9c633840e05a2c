/** The models that can be asked for: what each can do, may see, and costs. Pure; a model is one row. */
import { type KindName, kindNames } from './kind.ts'

export const confidentialities = ['public', 'internal', 'confidential', 'restricted'] as const
export type Confidentiality = (typeof confidentialities)[number]

export interface Price {
  readonly inputUsdPerMillionTokens: number
  readonly outputUsdPerMillionTokens: number
  readonly usdPerJob: number
}

export interface Model {
  readonly id: string
  readonly provider: 'embedded' | 'test'
  readonly version: string
  readonly kinds: readonly KindName[]
  readonly maxInputTokens: number
  /** Vector length where the model embeds and the caller does not choose; null otherwise. */
  readonly dimensions: number | null
  readonly price: Price
  readonly maxConfidentiality: Confidentiality
  readonly enabled: boolean
  /** Long calls run apart, so that they do not hold up short ones in a queue batch. */
  readonly slow: boolean
}

const free: Price = { inputUsdPerMillionTokens: 0, outputUsdPerMillionTokens: 0, usdPerJob: 0 }

const embedded = (id: string, kinds: readonly KindName[], dimensions: number | null): Model => ({
  id,
  provider: 'embedded',
  version: '1',
  kinds,
  maxInputTokens: 25_000_000,
  dimensions,
  price: free,
  maxConfidentiality: 'restricted',
  enabled: true,
  slow: false,
})

/** Misbehaves on purpose and deterministically; see `consumers/providers/test.ts`. */
const test = (name: string, rest: Partial<Model> = {}): Model => ({
  ...embedded(`test/${name}`, kindNames, 256),
  provider: 'test',
  ...rest,
})

const all: readonly Model[] = [
  embedded('embedded/extract-1', ['summarize', 'report'], null),
  embedded('embedded/hash-1', ['embed', 'classify'], 256),
  test('slow', { slow: true }),
  test('hangs', { slow: true }),
  test('flaky'),
  test('unavailable'),
  test('rate-limited'),
  test('permission-denied'),
  test('content-filtered'),
  test('invalid-output'),
  test('priced', { price: { ...free, usdPerJob: 0.01 } }),
]

const byId = new Map(all.map((model) => [model.id, model]))

export const models = all
export const findModel = (id: string): Model | undefined => byId.get(id)

const rank = (level: Confidentiality) => confidentialities.indexOf(level)

/** Whether content of this confidentiality may be shown to the model. */
export const maySee = (model: Model, level: Confidentiality) => rank(level) <= rank(model.maxConfidentiality)

/** Whether a job of this kind and confidentiality may run on the model, as the catalog stands now. */
export function isAllowed(id: string, kind: KindName, level: Confidentiality): boolean {
  const model = findModel(id)
  return model?.enabled === true && model.kinds.includes(kind) && maySee(model, level)
}

/** Every allowed combination as `model|kind|confidentiality`, for a database to filter by; a JSON array. */
export const allowedCombinations = JSON.stringify(
  all.flatMap(({ id }) =>
    kindNames.flatMap((kind) =>
      confidentialities
        .filter((level) => isAllowed(id, kind, level))
        .map((level) => `${id}|${kind}|${level}`),
    ),
  ),
)

/**
 * The price of one attempt in integer micro-USD, rounded up so that a booking never falls short.
 * Output tokens are unknown before the run; pass 0 for an estimate.
 */
export function costMicroUsd({ price }: Model, inputTokens: number, outputTokens: number): number {
  const tokens = inputTokens * price.inputUsdPerMillionTokens + outputTokens * price.outputUsdPerMillionTokens
  // Rounded first to what a price can mean, so that binary fractions do not round up.
  return Math.ceil(Number((tokens + price.usdPerJob * 1_000_000).toFixed(6)))
}
