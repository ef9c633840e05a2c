/** What an attempt is expected to cost at most: what budgets set aside, and what `max_cost_usd` is held against. Pure. */
import type { KindName } from './kind.ts'
import { kindOf } from './kinds.ts'
import { costMicroUsd, type Model } from './models.ts'

/** Instructions that go to a model along with the input, in tokens. */
const PROMPT_TOKENS = 400
/** Models cut text into tokens differently; an estimate of tokens is rarely off by more than this. */
const MARGIN = 1.5

const TEXT_BYTES_PER_TOKEN = 3
/** 32 kbit/s: what speech is rarely below, so that a file is rarely longer than estimated. */
const AUDIO_BYTES_PER_SECOND = 4000

/** About how many tokens a file's bytes are: of text, or, for a kind that hears, seconds. */
export const tokensOfBytes = (kind: KindName, bytes: number): number =>
  Math.ceil(bytes / (kindOf(kind).reads === 'audio' ? AUDIO_BYTES_PER_SECOND : TEXT_BYTES_PER_TOKEN))

/** Integer micro-USD for one attempt with about `inputTokens` tokens of input. A ceiling in practice, not a proof. */
export const estimateMicroUsd = (model: Model, inputTokens: number): number =>
  costMicroUsd(model, Math.ceil(inputTokens * MARGIN) + promptTokens(model), model.maxOutputTokens)

/** Models that write are told what to write; others get nothing but the input. */
const promptTokens = ({ maxOutputTokens }: Model) => (maxOutputTokens > 0 ? PROMPT_TOKENS : 0)
