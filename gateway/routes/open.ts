/** What is open to everybody: tokens, keys, discovery, documents, problem pages, health. */
import type { Context } from 'hono'
import { opsScopes, tenantScopes } from '../../openapi/ops.ts'
import { isProblemCode, problemCatalog } from '../../openapi/problems.ts'
import { publicJwks } from '../auth/keys.ts'
import { limitTokenBody, tokenEndpoint } from '../auth/oauth.ts'
import { referencePolicy, textPagePolicy } from '../browser-headers.ts'
import { Problem } from '../problem.ts'
import { type GatewayContext, newRouter } from '../router.ts'

export const openRoutes = newRouter()

openRoutes.post('/oauth/token', limitTokenBody, tokenEndpoint)
openRoutes.get('/healthz', (c) => c.json({ status: 'ok' }))
openRoutes.get('/.well-known/jwks.json', (c) => cached(c, publicJwks(c.var.config)))
openRoutes.get('/.well-known/oauth-authorization-server', (c) => cached(c, metadata(c.var.config.baseUrl)))
openRoutes.get('/problems/:slug', (c) => problemPage(c, c.req.param('slug')))
openRoutes.get('/docs', (c) => html(c, docsPage, referencePolicy))
openRoutes.get('/', (c) => c.redirect('/docs'))

const html = (c: Context<GatewayContext>, text: string, policy: string) =>
  c.html(text, 200, { 'Content-Security-Policy': policy })

const cached = (c: Context<GatewayContext>, body: object) => {
  c.header('Cache-Control', 'public, max-age=300')
  return c.json(body)
}

/** RFC 8414. */
const metadata = (issuer: string) => ({
  issuer,
  token_endpoint: `${issuer}/oauth/token`,
  jwks_uri: `${issuer}/.well-known/jwks.json`,
  grant_types_supported: ['client_credentials'],
  response_types_supported: [],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  scopes_supported: [...tenantScopes, ...opsScopes],
  service_documentation: `${issuer}/docs`,
})

function problemPage(c: Context<GatewayContext>, slug: string) {
  if (!isProblemCode(slug)) throw new Problem('not-found')
  const { status, title, explanation, remedy } = problemCatalog[slug]
  const text = `<p><code>${slug}</code> · HTTP ${status}</p><h1>${title}</h1><p>${explanation}</p><h2>What to do</h2><p>${remedy}</p>`
  return html(c, page(title, text), textPagePolicy)
}

const page = (title: string, body: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>body{font:16px/1.6 system-ui,sans-serif;max-width:42rem;margin:4rem auto;padding:0 1rem;color:#1c2733}code{background:#eef2f5;padding:.1em .3em;border-radius:.2em}h1{font-size:1.6rem}</style>
</head><body>${body}</body></html>`

/** The reference page; its script is a package's, served by us as a static asset. */
const docsPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>API reference · async AI gateway</title>
<script type="module" src="/openapi-explorer.min.js"></script>
<style>body{margin:0}openapi-explorer{height:100vh;--font-regular:system-ui,sans-serif;--font-mono:ui-monospace,monospace}</style>
</head><body>
<openapi-explorer spec-url="/openapi.json" hide-console hide-server-selection="true" primary-color="#0b6bcb" secondary-color="#0b6bcb" bg-color="#ffffff" nav-bg-color="#f5f7f9" nav-text-color="#1c2733"></openapi-explorer>
</body></html>`
