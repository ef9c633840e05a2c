/** The URL of a webhook endpoint, as a customer gave it: let through by the guard, or refused with a problem. */
import type { Context } from 'hono'
import { Problem } from './problem.ts'
import type { GatewayContext } from './router.ts'

const RETRY_AFTER_SECONDS = '5'

/** The URL to store and to call, which is not always the text that was given; throws a `Problem` for one that is refused. */
export async function checkedUrl(c: Context<GatewayContext>, url: string): Promise<string> {
  const verdict = await c.var.config.guard(url)
  if (verdict.ok) return verdict.url.href
  throw verdict.passing ? refusedForNow() : refused(verdict.why)
}

const refused = (detail: string) =>
  new Problem('invalid-request', {
    detail: 'Webhooks cannot be delivered to this URL.',
    errors: [{ pointer: '/url', detail }],
  })

/** Nobody can say where the name leads; what cannot be checked is not stored. */
const refusedForNow = () =>
  new Problem('unavailable', {
    detail: 'The name in the URL cannot be looked up for now. Try again.',
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  })
