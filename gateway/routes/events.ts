/** The feed of events: the way to learn of everything without receiving webhooks, or after having missed some. */
import { createRoute } from '@hono/zod-openapi'
import { EventPage, EventQuery } from '../../openapi/events.ts'
import { forTenants } from '../auth/authenticate.ts'
import { numberOf } from '../cursor.ts'
import { pageOf } from '../page.ts'
import { readPatiently } from '../patience.ts'
import { preferParameter } from '../prefer.ts'
import { problems } from '../problem.ts'
import { newRouter } from '../router.ts'
import { eventView } from '../views/event.ts'
import { json, tenantProblems } from './shared.ts'

const listEvents = createRoute({
  operationId: 'listEvents',
  method: 'get',
  path: '/v1/events',
  tags: ['Events'],
  summary: 'List events, oldest first',
  description: [
    'The feed: every event of the last 30 days, in a fixed order, whether an endpoint wanted it or not. To follow it, go on with',
    '`after=` and the ID of the last event that you have dealt with; `Prefer: wait=20` lets the answer wait for the next one.',
    '',
    'With `types` a page examines at most 5,000 events, so it can be short, or empty, with a `next_cursor`.',
  ].join('\n'),
  ...forTenants('webhooks:read'),
  parameters: [preferParameter],
  request: { query: EventQuery },
  responses: {
    200: json('A page of events.', EventPage),
    ...problems(...tenantProblems),
  },
})

export const eventRoutes = newRouter().openapi(listEvents, async (c) => {
  const { after = null, cursor, types, limit } = c.req.valid('query')
  const scope = [c.var.principal.tenantId, 'events', { types }] as const
  const named = types?.split(',') ?? null
  const page = await pageOf(scope, { cursor, limit }, async (place, size) => {
    const query = { position: numberOf(place), after, types: named, limit: size }
    const { bodies, nextAfter } = await readPatiently(c, (own, patience) => own.readFeed(query, patience))
    return { data: bodies.map(eventView), nextAfter: nextAfter?.toString() ?? null }
  })
  return c.json(page, 200)
})
