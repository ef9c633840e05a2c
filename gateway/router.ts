/**
 * The typed app: it refuses what a route does not describe, its one hook turns a failed validation into a problem, and what a route
 * answers passes the gate.
 */
import { OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi'
import { getPath } from 'hono/utils/url'
import type { Rate } from '../ledger/replies.ts'
import { fieldErrors, jsonPointer } from '../openapi/field-errors.ts'
import { gated } from './answers.ts'
import type { Config } from './config.ts'
import type { LedgerCall } from './ledgers.ts'
import { Problem } from './problem.ts'

/** Who is calling: a tenant's client, or an operator. */
export interface Principal {
  readonly clientId: string
  readonly tenantId: string | null
}

export interface IdempotencyKey {
  readonly hash: string
  readonly fingerprint: string
}

export interface GatewayContext {
  Bindings: GatewayEnv
  Variables: {
    config: Config
    requestId: string
    principal: Principal
    /** The caller's own ledger: the tenant is in the address, not in a filter. */
    ledger: LedgerCall
    rate: Rate | undefined
  }
}

/** `pathOf`: what a request's path is to the routes. */
export function newRouter(pathOf: (request: Request) => string = getPath) {
  const router = new OpenAPIHono<GatewayContext>({
    strict: true,
    getPath: pathOf,
    defaultHook: (result) => {
      if (result.success) return
      const inBody = result.target === 'json'
      const errors = fieldErrors(result.error.issues, (path) =>
        inBody
          ? { pointer: jsonPointer(path), detail: '' }
          : { parameter: String(path[0] ?? result.target), detail: '' },
      )
      throw new Problem('invalid-request', {
        detail: 'The request does not follow the API description.',
        errors,
      })
    },
  })
  const { openapi } = router
  router.openapi = (route, handler, hook) => openapi(withNoOtherQuery(route), gated(route, handler), hook)
  return router
}

/**
 * Whoever sends a parameter meant something by it: one that the route does not describe is refused, and so is any where it describes
 * none. A POST that describes none leaves its query to the idempotency key, which tells by it whether a request is the same as before.
 */
function withNoOtherQuery<R extends RouteConfig>(route: R): R {
  if (route.method === 'post' && !route.request?.query) return route
  const { query = z.object({}) } = route.request ?? {}
  if (!(query instanceof z.ZodObject))
    throw new Error(`The query of ${route.path} is described by no object.`)
  return { ...route, request: { ...route.request, query: query.strict() } }
}
