/** What the routes of a webhook endpoint have in common. */
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { EndpointSnapshot } from '../../ledger/endpoints.ts'
import type { Answered } from '../../ledger/idempotency.ts'
import type { GatewayContext } from '../router.ts'
import { endpointView } from '../views/endpoint.ts'

export const endpointTags = ['Webhook endpoints']

export const EndpointParams = z.object({
  endpoint_id: z.string().openapi({ example: 'we_01jd0000000000000000000000000' }),
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
  secret: string,
) => ({ ...answeredEndpoint(c, answered), secret: answered.replayed ? null : secret })
