/** A URL that somebody gave us to be called: let through by the guard, or refused with a problem. */
import type { Context } from 'hono'
import { Problem } from './problem.ts'
import type { GatewayContext } from './router.ts'

const RETRY_AFTER_SECONDS = '5'

/** Where in the body the URL stands, and what is said of one that cannot be. */
export interface UrlPlace {
  readonly pointer: string
  readonly detail: string
}

/** The URL to store and to call, which is not always the text that was given; throws a `Problem` for one that is refused. */
export async function checkedUrl(c: Context<GatewayContext>, url: string, place: UrlPlace): Promise<string> {
  const verdict = await c.var.config.guard(url)
  if (verdict.ok) return verdict.url.href
  throw verdict.passing ? refusedForNow() : refusedUrl(place, verdict.why)
}

export const refusedUrl = ({ pointer, detail }: UrlPlace, why: string) =>
  new Problem('invalid-request', { detail, errors: [{ pointer, detail: why }] })

/** Nobody can say where the name leads; what cannot be checked is not stored. */
const refusedForNow = () =>
  new Problem('unavailable', {
    detail: 'The name in the URL cannot be looked up for now. Try again.',
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  })
