/** The models that can be asked for, and the rules of what each can do, may see, and costs. Pure. */
import { type KindName, kindNames } from './kind.ts'
import { all } from './rows.ts'

export const confidentialities = ['public', 'internal', 'confidential', 'restricted'] as const
export type Confidentiality = (typeof confidentialities)[number]

export const providerNames = ['embedded', 'test', 'openai', 'workers-ai'] as const
export type ProviderName = (typeof providerNames)[number]

/** The providers that a deployment has what it takes to call. */
export type Configured = ReadonlySet<ProviderName>

/** Where a model takes or gives audio, "a token" of price, usage and limits is a second of it. */
export interface Price {
  readonly inputUsdPerMillionTokens: number
  readonly outputUsdPerMillionTokens: number
  readonly usdPerJob: number
}

/** What a provider lets all tenants have together of one model. */
export interface ProviderLimits {
  readonly requestsPerMinute: number
  /** Tokens in and out. */
  readonly tokensPerMinute: number
  readonly concurrent: number
}

/** What one chunk of a batch may hold at this model: what the provider takes, and what we can collect and run again in one piece. */
export interface BatchLimits {
  readonly maxItems: number
  /** Of the items' lines. The request that is made of them is larger, by what each is wrapped in, and must be what the provider takes. */
  readonly maxBytes: number
  /** Chunks that all tenants may have out at the provider together; null where nothing is shared. */
  readonly concurrent: number | null
}

export interface Model {
  readonly id: string
  readonly provider: ProviderName
  readonly version: string
  readonly kinds: readonly KindName[]
  readonly maxInputTokens: number
  /** What an answer may hold at most; 0 where an answer has no tokens. */
  readonly maxOutputTokens: number
  /** Bytes of an audio file at most, which a call holds in memory; null where the model does not transcribe. */
  readonly maxAudioBytes: number | null
  /** Vector length where the model embeds and the caller does not choose; null otherwise. */
  readonly dimensions: number | null
  readonly price: Price
  readonly maxConfidentiality: Confidentiality
  /** Null where nothing is shared. */
  readonly limits: ProviderLimits | null
  /** The catalog's word; whether its provider is configured is the deployment's. */
  readonly enabled: boolean
  /** Long calls run apart, so that they do not hold up short ones in a queue batch. */
  readonly slow: boolean
  /** Null where the model takes no batches. */
  readonly batch: BatchLimits | null
}

const byId = new Map(all.map((model) => [model.id, model]))

export const models = all
export const findModel = (id: string): Model | undefined => byId.get(id)

/** What operators have decided about a model: in which version they let it take work, and whether it does now. */
export interface ModelState {
  readonly version: string
  readonly enabled: boolean
}

/** By the IDs of models; nothing has been decided about the others. */
export type ModelStates = Readonly<Record<string, ModelState>>

/**
 * Whether the model takes work. The one place that decides it: what operators have disabled takes none, whatever its version; what they
 * have enabled takes some in that version alone. About all else the catalog has the word.
 */
export function isEnabled({ id, version, enabled }: Model, states: ModelStates): boolean {
  const state = states[id]
  if (!state) return enabled
  return state.enabled && (enabled || state.version === version)
}

/** Whether the model is there to be asked for in this deployment. */
export const isOffered = (model: Model, configured: Configured, states: ModelStates) =>
  isEnabled(model, states) && configured.has(model.provider)

/** The models that a tenant can know of: those of this deployment's providers, and the misbehaving ones if its plan has them. */
export const modelsFor = (configured: Configured, testModels: boolean): readonly Model[] =>
  all.filter(({ provider }) => configured.has(provider) && (provider !== 'test' || testModels))

const rank = (level: Confidentiality) => confidentialities.indexOf(level)

/** Whether content of this confidentiality may be shown to the model. */
export const maySee = (model: Model, level: Confidentiality) => rank(level) <= rank(model.maxConfidentiality)

/** Whether a job of this kind and confidentiality may run on the model, as catalog, deployment and operators have it now. */
export function isAllowed(
  configured: Configured,
  states: ModelStates,
  id: string,
  kind: KindName,
  level: Confidentiality,
): boolean {
  const model = findModel(id)
  return (
    model !== undefined &&
    isOffered(model, configured, states) &&
    model.kinds.includes(kind) &&
    maySee(model, level)
  )
}

/** Every allowed combination that is not held as `model|kind|confidentiality`, for a database to filter by; a JSON array. */
export const allowedCombinations = (
  configured: Configured,
  states: ModelStates,
  isHeld: (model: string, kind: KindName) => boolean,
): string =>
  JSON.stringify(
    all.flatMap(({ id }) =>
      kindNames.flatMap((kind) =>
        confidentialities
          .filter((level) => isAllowed(configured, states, id, kind, level) && !isHeld(id, kind))
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
