/** What is open to everybody: tokens, keys, discovery, documents, problem pages, health. */
import type { Context } from 'hono'
import { isProblemCode } from '../../openapi/problems.ts'
import { opsScopes, tenantScopes } from '../../openapi/tenant-words.ts'
import { assertionAlgorithms } from '../auth/assertion.ts'
import { publicJwks } from '../auth/keys.ts'
import { JWKS_SECONDS } from '../auth/lifetimes.ts'
import { limitTokenBody, tokenEndpoint } from '../auth/oauth.ts'
import { referencePolicy, textPagePolicy } from '../browser-headers.ts'
import { problemList, problemPage } from '../pages/problems.ts'
import { referencePage } from '../pages/reference.ts'
import { Problem } from '../problem.ts'
import { type GatewayContext, newRouter } from '../router.ts'

export const openRoutes = newRouter()

openRoutes.post('/oauth/token', limitTokenBody, tokenEndpoint)
openRoutes.get('/healthz', (c) => c.json({ status: 'ok' }))
openRoutes.get('/.well-known/jwks.json', (c) => cached(c, publicJwks(c.var.config, Date.now())))
openRoutes.get('/.well-known/oauth-authorization-server', (c) => cached(c, metadata(c.var.config.baseUrl)))
openRoutes.get('/problems', (c) => shown(c, problemList, textPagePolicy))
openRoutes.get('/problems/:slug', (c) => shown(c, pageOf(c.req.param('slug')), textPagePolicy))
openRoutes.get('/docs', (c) => shown(c, referencePage, referencePolicy))
openRoutes.get('/', (c) => c.redirect('/docs'))

const cached = (c: Context<GatewayContext>, body: object) => {
  c.header('Cache-Control', `public, max-age=${JWKS_SECONDS}`)
  return c.json(body)
}

/** RFC 8414. */
const metadata = (issuer: string) => ({
  issuer,
  token_endpoint: `${issuer}/oauth/token`,
  jwks_uri: `${issuer}/.well-known/jwks.json`,
  grant_types_supported: ['client_credentials'],
  response_types_supported: [],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
  token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
  scopes_supported: [...tenantScopes, ...opsScopes],
  service_documentation: `${issuer}/docs`,
})

const shown = (c: Context<GatewayContext>, html: string, policy: string) =>
  c.html(html, 200, { 'Cache-Control': 'public, max-age=300', 'Content-Security-Policy': policy })

function pageOf(slug: string): string {
  if (!isProblemCode(slug)) throw new Problem('not-found')
  return problemPage(slug)
}
