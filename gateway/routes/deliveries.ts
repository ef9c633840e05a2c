/** Deliveries: list, read, retry. */
import { createRoute, z } from '@hono/zod-openapi'
import type { DeliveryFilter } from '../../ledger/delivery-lists.ts'
import { Delivery, DeliveryPage, DeliveryQuery } from '../../openapi/deliveries.ts'
import { forTenants } from '../auth/authenticate.ts'
import { requestKey } from '../idempotency.ts'
import { pageOf } from '../page.ts'
import { problems } from '../problem.ts'
import { newRouter } from '../router.ts'
import { deliveryView } from '../views/delivery.ts'
import { positionOf, textOf } from './delivery-positions.ts'
import { bareForTenants, json, tenantPostProblems, tenantProblems } from './shared.ts'

const tags = ['Deliveries']
const DeliveryParams = z.object({
  delivery_id: z
    .string()
    .meta({ description: 'The ID of a delivery.', example: 'dlv_01kb9ka0e8000000002b8q4mz1t0' }),
})
const write = bareForTenants('webhooks:write')
const read = forTenants('webhooks:read')

const listDeliveries = createRoute({
  operationId: 'listDeliveries',
  method: 'get',
  path: '/v1/deliveries',
  tags,
  summary: 'List deliveries of events to webhook endpoints, newest first',
  description:
    'In the order of the events. A page examines at most 5,000 deliveries, so a rare filter can give a short page with a `next_cursor`.',
  ...read,
  request: { query: DeliveryQuery },
  responses: {
    200: json('A page of deliveries.', DeliveryPage),
    ...problems(...tenantProblems),
  },
})

const getDelivery = createRoute({
  operationId: 'getDelivery',
  method: 'get',
  path: '/v1/deliveries/{delivery_id}',
  tags,
  summary: 'Read a delivery with its attempts',
  description: 'Each attempt with the status and the beginning of what the receiver answered.',
  ...read,
  request: { params: DeliveryParams },
  responses: { 200: json('The delivery.', Delivery), ...problems(...tenantProblems, 'not-found') },
})

const retryDelivery = createRoute({
  operationId: 'retryDelivery',
  method: 'post',
  path: '/v1/deliveries/{delivery_id}/retry',
  tags,
  summary: 'Attempt a delivery again, now',
  description:
    'Whatever became of it: it is due now, and in a fresh round of the schedule. The event keeps its ID and its bytes. Works for a disabled endpoint too, and not for a deleted one.',
  ...write,
  request: { params: DeliveryParams },
  responses: {
    202: json('The delivery, which is pending now.', Delivery),
    ...problems(...tenantPostProblems, 'not-found'),
  },
})

export const deliveryRoutes = newRouter()
  .openapi(listDeliveries, async (c) => {
    const { cursor, limit, ...query } = c.req.valid('query')
    const scope = [c.var.principal.tenantId, 'deliveries', query] as const
    const page = await pageOf(scope, { cursor, limit }, async (after, size) => {
      const { deliveries, nextAfter } = await c.var.ledger((own) =>
        own.listDeliveries(filterOf(query), positionOf(after), size),
      )
      return { data: deliveries.map(deliveryView), nextAfter: textOf(nextAfter) }
    })
    return c.json(page, 200)
  })
  .openapi(getDelivery, async (c) => {
    const { delivery_id } = c.req.valid('param')
    return c.json(deliveryView(await c.var.ledger((ledger) => ledger.readDelivery(delivery_id))), 200)
  })
  .openapi(retryDelivery, async (c) => {
    const { delivery_id } = c.req.valid('param')
    const call = { id: crypto.randomUUID(), key: await requestKey(c) }
    const { value, replayed } = await c.var.ledger((ledger) => ledger.retryDelivery(call, delivery_id))
    if (replayed) c.header('Idempotency-Replayed', 'true')
    return c.json(deliveryView(value), 202)
  })

const filterOf = (query: Omit<DeliveryQuery, 'cursor' | 'limit'>): DeliveryFilter => ({
  endpointId: query.endpoint_id ?? null,
  status: query.status ?? null,
  eventType: query.event_type ?? null,
  eventId: query.event_id ?? null,
})
