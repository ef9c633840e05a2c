/** What the routes of batches have in common. */
import { z } from '@hono/zod-openapi'

export const batchTags = ['Batches']

export const BatchParams = z.object({
  batch_id: z
    .string()
    .meta({ description: 'The ID of a batch.', example: 'batch_01kb9m2v7r000b5e8h1n4q7s0u3y' }),
})

/** Seconds after which a batch that has not ended is worth reading again: they take minutes to hours. */
export const BATCH_POLL_SECONDS = '10'
