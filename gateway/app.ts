/** An app that answers at the gateway: its routes in the frame that all of them have. */
import { createMiddleware } from 'hono/factory'
import { failed } from './failures.ts'
import { frame } from './frame.ts'
import { allowedMethods, overlaid } from './methods.ts'
import { Problem } from './problem.ts'
import { type GatewayContext, newRouter } from './router.ts'

type Router = ReturnType<typeof newRouter>

/** `add` gives it its routes; `pathOf`: what a request's path is to them. */
export function newApp(add: (app: Router) => void, pathOf?: (request: Request) => string): Router {
  const app = newRouter(pathOf)
  app.use(frame)
  app.use(spelledOut(app))
  add(app)
  app.notFound((c) => {
    const allowed = allowedMethods(app.routes, c.req.path)
    const problem =
      allowed.length > 0
        ? notAllowed(allowed)
        : new Problem('not-found', { detail: 'There is nothing at this path.' })
    return problem.toResponse(c.var.config.baseUrl, c.var.requestId)
  })
  app.onError(failed)
  return app
}

/** The router by itself would take the word for an ID, and the method for that of another route. */
function spelledOut(app: Router) {
  let known: ReturnType<typeof overlaid> | undefined
  return createMiddleware<GatewayContext>(async (c, next) => {
    // Worked out for the first request: a start has other things to do.
    known ??= overlaid(app.routes)
    const allowed = known.get(c.req.path)
    if (allowed && !allowed.includes(c.req.method)) throw notAllowed(allowed)
    return next()
  })
}

const notAllowed = (allowed: readonly string[]) =>
  new Problem('method-not-allowed', { headers: { Allow: allowed.join(', ') } })
