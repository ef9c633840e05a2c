/** What every answer has, whoever asked. */
import { createMiddleware } from 'hono/factory'
import type { Rate } from '../ledger/replies.ts'
import { passOver } from './body.ts'
import { tellBrowsers } from './browser-headers.ts'
import { configOf } from './config.ts'
import type { GatewayContext } from './router.ts'

const requestIdShape = /^[A-Za-z0-9._-]{1,128}$/

/** First in, last out: configuration and request ID for everyone inside, headers for every answer. */
export const frame = createMiddleware<GatewayContext>(async (c, next) => {
  const asked = c.req.header('X-Request-Id')
  c.set('config', configOf(c.env))
  c.set('requestId', asked && requestIdShape.test(asked) ? asked : crypto.randomUUID())
  await next()
  await passOver(c.req.raw)
  // `c.header` copies the whole response each time once there is one.
  const { headers } = c.res
  headers.set('X-Request-Id', c.var.requestId)
  tellBrowsers(headers, c.var.config.baseUrl)
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  describeRate(c.var.rate, headers)
})

/** draft-ietf-httpapi-ratelimit-headers-11. */
function describeRate(rate: Rate | undefined, headers: Headers) {
  if (!rate || rate.limit === 0) return
  headers.set('RateLimit-Policy', `"requests";q=${rate.limit};w=60`)
  headers.set('RateLimit', `"requests";r=${rate.remaining};t=${rate.resetSeconds}`)
}
