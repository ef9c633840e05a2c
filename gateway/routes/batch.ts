/** What the routes of batches have in common. */
import { z } from '@hono/zod-openapi'

export const batchTags = ['Batches']

export const BatchParams = z.object({
  batch_id: z.string().openapi({ example: 'batch_01jd0000000000000000000000000' }),
})

/** Seconds after which a batch that has not ended is worth reading again: they take minutes to hours. */
export const BATCH_POLL_SECONDS = '10'
