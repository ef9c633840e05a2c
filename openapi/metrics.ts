/** The text of a scrape. */
import { z } from '@hono/zod-openapi'

/** In the words of JSON Schema, of which the types of the document know only some. */
const text = { contentMediaType: 'application/openmetrics-text' }

export const Metrics = z.string().meta({
  id: 'Metrics',
  description: 'Metric families in the text format of OpenMetrics 1.0, each with its type and what it tells.',
  ...text,
})
