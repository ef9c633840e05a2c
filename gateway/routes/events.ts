/** The feed of events: the way to learn of everything without receiving webhooks, or after having missed some. */
import { createRoute } from '@hono/zod-openapi'
import { DEFAULT_LIMIT } from '../../openapi/common.ts'
import { EventPage, EventQuery } from '../../openapi/events.ts'
import { forTenants } from '../auth/authenticate.ts'
import { badCursor, decodeCursor, encodeCursor } from '../cursor.ts'
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
  const position = positionOf(await decodeCursor(scope, cursor))
  const named = types?.split(',') ?? null
  const query = { position, after, types: named, limit: Number(limit ?? DEFAULT_LIMIT) }
  const page = await readPatiently(c, (ledger, patience) => ledger.readFeed(query, patience))
  const next_cursor = await encodeCursor(scope, page.nextAfter?.toString() ?? null)
  return c.json({ data: page.bodies.map(eventView), has_more: next_cursor !== null, next_cursor }, 200)
})

function positionOf(text: string | null): number | null {
  if (text === null) return null
  if (!/^\d{1,15}$/.test(text)) throw badCursor()
  return Number(text)
}
