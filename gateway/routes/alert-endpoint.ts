/** What the routes of operators' alert endpoints have in common. */
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { EndpointSnapshot } from '../../ledger/endpoints.ts'
import { actOnce, askOperators } from '../operators-ledger.ts'
import type { GatewayContext } from '../router.ts'
import { endpointView } from '../views/endpoint.ts'
import { EndpointParams } from './webhook-endpoint.ts'

export const alertTags = ['Alerts']
export const AlertEndpointParams = z.object({ endpoint_id: EndpointParams.shape.endpoint_id })

export const readAlertEndpoint = (c: Context<GatewayContext>, id: string) =>
  askOperators(c, (ledger) => ledger.readEndpoint(id))

/** A change of one that is there. The endpoint as it was before is what `work` starts from. */
export const actOn = <T extends object>(
  c: Context<GatewayContext>,
  verb: string,
  id: string,
  reason: string,
  work: (endpoint: EndpointSnapshot) => Promise<T>,
) =>
  actOnce(c, { action: `alert_endpoint.${verb}`, target: id, reason }, () => readAlertEndpoint(c, id), work)

export const withSecret = (endpoint: EndpointSnapshot, secret: string) => ({
  ...endpointView(endpoint),
  secret: secret as string | null,
})

/** The operator's key is kept in the directory. */
export const callOf = (id: string) => ({ id, key: null })
