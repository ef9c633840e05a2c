/** What an attempt is expected to cost at most: what budgets set aside, and what `max_cost_usd` is held against. Pure. */
import { costMicroUsd, type Model } from './models.ts'

/** Instructions that go to a model along with the input, in tokens. */
const PROMPT_TOKENS = 400
/** Models cut text into tokens differently; an estimate of tokens is rarely off by more than this. */
const MARGIN = 1.5

/** Integer micro-USD for one attempt with about `inputTokens` tokens of input. A ceiling in practice, not a proof. */
export const estimateMicroUsd = (model: Model, inputTokens: number): number =>
  costMicroUsd(model, Math.ceil(inputTokens * MARGIN) + PROMPT_TOKENS, model.maxOutputTokens)
