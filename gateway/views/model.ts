/** Models as the API shows them. */

import { defaultModelFor } from '../../catalog/defaults.ts'
import { kindNames } from '../../catalog/kind.ts'
import { type Configured, isEnabled, type ModelStates, type Model as Row } from '../../catalog/models.ts'
import type { Model } from '../../openapi/models.ts'

export const modelView = (model: Row, configured: Configured, states: ModelStates): Model => ({
  id: model.id,
  object: 'model',
  provider: model.provider,
  version: model.version,
  kinds: [...model.kinds],
  default_for: isEnabled(model, states)
    ? kindNames.filter((kind) => defaultModelFor(kind, configured, states) === model)
    : [],
  batch: model.batch && { max_items: model.batch.maxItems, max_bytes: model.batch.maxBytes },
  max_input_tokens: model.maxInputTokens,
  dimensions: model.dimensions,
  price: {
    input_usd_per_million_tokens: sixDecimals(model.price.inputUsdPerMillionTokens),
    output_usd_per_million_tokens: sixDecimals(model.price.outputUsdPerMillionTokens),
    usd_per_job: sixDecimals(model.price.usdPerJob),
  },
  max_confidentiality: model.maxConfidentiality,
  enabled: isEnabled(model, states),
})

/** Prices by the minute leave binary fractions. */
const sixDecimals = (amount: number) => Number(amount.toFixed(6))
