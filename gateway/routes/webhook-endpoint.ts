/** What the routes of a webhook endpoint have in common. */
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { EndpointSnapshot } from '../../ledger/endpoints.ts'
import type { Answered } from '../../ledger/idempotency.ts'
import type { GatewayContext } from '../router.ts'
import { endpointView } from '../views/endpoint.ts'

export const endpointTags = ['Webhook endpoints']

export const EndpointParams = z.object({
  endpoint_id: z
    .string()
    .meta({ description: 'The ID of a webhook endpoint.', example: 'we_01kb9k7f2m004x9d1s6w8z3q5r7h' }),
})

/** The endpoint of a POST's answer; says in a header when it is a replay. */
export function answeredEndpoint(
  c: Context<GatewayContext>,
  { value, replayed }: Answered<EndpointSnapshot>,
) {
  if (replayed) c.header('Idempotency-Replayed', 'true')
  return endpointView(value)
}

/** The same with the secret, which a replay does not show again. */
export const answeredWithSecret = (
  c: Context<GatewayContext>,
  answered: Answered<EndpointSnapshot>,
  secret: string | null,
) => ({ ...answeredEndpoint(c, answered), secret: answered.replayed ? null : secret })
