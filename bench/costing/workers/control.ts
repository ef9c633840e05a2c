/** What the benchmark asks of a Worker beside its work; nothing of it is counted. */
import { putForward } from './clock.ts'
import { reading } from './meters.ts'

/** Paths that no Worker of the product answers at. */
export const CONTROL = '/costing/'

/** `PUT /costing/clock?ms=` puts the clock forward, `GET /costing/counts` tells what was counted; null for everything else. */
export function controlled(request: Request): Response | null {
  const url = new URL(request.url)
  if (url.pathname === `${CONTROL}counts`) return Response.json(reading())
  if (url.pathname !== `${CONTROL}clock`) return null
  putForward(Number(url.searchParams.get('ms')))
  return new Response(null, { status: 204 })
}
