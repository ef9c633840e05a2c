/** Who calls, and may they: one declaration for each route, from which both the document and the check are made. */
import { createMiddleware } from 'hono/factory'
import { admit } from '../../ledger/directory/callers.ts'
import type { Scope } from '../../openapi/tenant-words.ts'
import { limitBody, MAX_JSON_BYTES, readableBody } from '../body.ts'
import { ledgerCalls, outOfReach } from '../ledgers.ts'
import { Problem, REALM } from '../problem.ts'
import type { GatewayContext } from '../router.ts'
import { grantOf } from './grant.ts'
import { type Audience, bearerToken } from './token.ts'

const insufficient = (scope: Scope) =>
  new Problem('insufficient-scope', {
    detail: `The token lacks the scope ${scope}.`,
    headers: { 'WWW-Authenticate': `${REALM}, error="insufficient_scope", scope="${scope}"` },
  })

const authenticate = (audience: Audience, scope: Scope) =>
  createMiddleware<GatewayContext>(async (c, next) => {
    const header = c.req.header('Authorization')
    if (header === undefined) throw Problem.unauthenticated()
    const token = bearerToken(header)
    const grant = token && (await grantOf(c, audience, token))
    const admission = grant && (await admit(c.env.DIRECTORY, grant, Date.now()).catch(outOfReach))
    if (!admission) throw Problem.unauthenticated('invalid_token')
    if (!grant.scopes.includes(scope)) throw insufficient(scope)
    c.set('principal', grant)
    if (admission.ledger !== null) c.set('ledger', ledgerCalls(c, admission.ledger))
    return next()
  })

const guarded = (audience: Audience, scope: Scope) => ({
  security: [{ oauth2: [scope] }],
  middleware: [authenticate(audience, scope)] as const,
})

const secured = (audience: Audience, scope: Scope, maxBytes: number) => {
  const { security, middleware } = guarded(audience, scope)
  return { security, middleware: [...middleware, limitBody(maxBytes), readableBody] }
}

/** A route of tenants that needs this scope, and takes a body of so many bytes. */
export const forTenants = (scope: Scope, maxBytes = MAX_JSON_BYTES) => secured('tenants', scope, maxBytes)
/** A route of tenants that needs this scope and reads its body, which is no JSON, by itself. */
export const forUploads = (scope: Scope) => guarded('tenants', scope)
/** A route of operators that needs this scope. */
export const forOperators = (scope: Scope) => secured('operators', scope, MAX_JSON_BYTES)
