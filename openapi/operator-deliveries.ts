/** Deliveries as operators see them: nothing of what a receiver answered. */
import { z } from '@hono/zod-openapi'
import { Delivery, DeliveryAttempt } from './deliveries.ts'

const { response_excerpt: _, response_truncated: __, ...attempt } = DeliveryAttempt.shape

const OperatorDeliveryAttempt = z.object(attempt).meta({
  id: 'OperatorDeliveryAttempt',
  description: 'One attempt at a delivery, without what was answered.',
})

export const OperatorDelivery = z
  .object({
    ...Delivery.shape,
    attempts: z.array(OperatorDeliveryAttempt).meta({ description: 'Oldest first.' }),
  })
  .meta({ id: 'OperatorDelivery', description: 'What became of one event at one endpoint of a tenant.' })

export type OperatorDelivery = z.infer<typeof OperatorDelivery>

/** What operators see of a tenant's job or batch in the place of its metadata, which is the tenant's text. */
export const metadataKeys = z
  .array(z.string())
  .meta({ description: "The names in its metadata; the values are the tenant's own." })
