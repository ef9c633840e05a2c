/** The HTTP app: what every answer has, the routes, and the only place that renders a failure. */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import { getPath } from 'hono/utils/url'
import { errorName, log } from '../ledger/log.ts'
import type { Rate } from '../ledger/replies.ts'
import { describeBatchItems, describeTokens, describeWebhooks, makeDocument } from '../openapi/document.ts'
import { passOver } from './body.ts'
import { tellBrowsers } from './browser-headers.ts'
import { configOf } from './config.ts'
import { allowedMethods, overlaid } from './methods.ts'
import { Problem } from './problem.ts'
import { type GatewayContext, newRouter } from './router.ts'
import { accountRoutes } from './routes/account.ts'
import { alertEndpointActionRoutes } from './routes/alert-endpoint-actions.ts'
import { alertEndpointRoutes } from './routes/alert-endpoints.ts'
import { alertRoutes } from './routes/alerts.ts'
import { auditLogRoutes } from './routes/audit-log.ts'
import { batchActionRoutes } from './routes/batch-actions.ts'
import { batchContentRoutes } from './routes/batch-contents.ts'
import { batchRoutes } from './routes/batches.ts'
import { clientActionRoutes } from './routes/client-actions.ts'
import { clientRoutes } from './routes/clients.ts'
import { deadLetterRoutes } from './routes/dead-letters.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { eventRoutes } from './routes/events.ts'
import { fileRoutes } from './routes/files.ts'
import { intakeRoutes } from './routes/intake.ts'
import { issuerRoutes } from './routes/issuers.ts'
import { jobRoutes } from './routes/jobs.ts'
import { metricsRoutes } from './routes/metrics.ts'
import { modelEvaluationRoutes } from './routes/model-evaluations.ts'
import { modelOrderRoutes } from './routes/model-orders.ts'
import { modelRoutes } from './routes/models.ts'
import { openRoutes } from './routes/open.ts'
import { operatorBatchRoutes } from './routes/operator-batches.ts'
import { operatorJobRoutes } from './routes/operator-jobs.ts'
import { operatorUsageRoutes } from './routes/operator-usage.ts'
import { redriveRoutes } from './routes/redrives.ts'
import { resealingRoutes } from './routes/resealing.ts'
import { restoreRoutes } from './routes/restores.ts'
import { tenantActionRoutes } from './routes/tenant-actions.ts'
import { tenantDeletionRoutes } from './routes/tenant-deletion.ts'
import { tenantRoutes } from './routes/tenants.ts'
import { webhookEndpointActionRoutes } from './routes/webhook-endpoint-actions.ts'
import { webhookEndpointRoutes } from './routes/webhook-endpoints.ts'
import { webhookReplayRoutes } from './routes/webhook-replays.ts'
import { webhookSigningKeyRoutes } from './routes/webhook-signing-keys.ts'

const requestIdShape = /^[A-Za-z0-9._-]{1,128}$/

/** First in, last out: configuration and request ID for everyone inside, headers for every answer. */
const frame = createMiddleware<GatewayContext>(async (c, next) => {
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

/** Tenants' and operators' routes are apps of their own first, so that each gets its own document. */
const tenantApp = newRouter()
  .route('/', jobRoutes)
  .route('/', batchRoutes)
  .route('/', batchContentRoutes)
  .route('/', batchActionRoutes)
  .route('/', fileRoutes)
  .route('/', webhookEndpointRoutes)
  .route('/', webhookEndpointActionRoutes)
  .route('/', webhookSigningKeyRoutes)
  .route('/', webhookReplayRoutes)
  .route('/', deliveryRoutes)
  .route('/', eventRoutes)
  .route('/', modelRoutes)
  .route('/', accountRoutes)
const operatorApp = newRouter()
  .route('/', tenantRoutes)
  .route('/', resealingRoutes)
  .route('/', tenantActionRoutes)
  .route('/', restoreRoutes)
  .route('/', tenantDeletionRoutes)
  .route('/', issuerRoutes)
  .route('/', clientRoutes)
  .route('/', clientActionRoutes)
  .route('/', deadLetterRoutes)
  .route('/', redriveRoutes)
  .route('/', operatorJobRoutes)
  .route('/', operatorBatchRoutes)
  .route('/', operatorUsageRoutes)
  .route('/', metricsRoutes)
  .route('/', auditLogRoutes)
  .route('/', alertEndpointRoutes)
  .route('/', alertEndpointActionRoutes)
  .route('/', alertRoutes)
  .route('/', modelEvaluationRoutes)
  .route('/', intakeRoutes)
  .route('/', modelOrderRoutes)
describeTokens(tenantApp)
describeBatchItems(tenantApp)
describeWebhooks(tenantApp, 'tenants')
describeWebhooks(operatorApp, 'operators')

/** Made when first asked for, and kept: it takes long, anybody may ask, and the base URL is always the same. */
function kept<D>(make: (baseUrl: string) => D) {
  const made = new Map<string, D>()
  return (baseUrl: string): D => {
    const document = made.get(baseUrl) ?? make(baseUrl)
    made.set(baseUrl, document)
    return document
  }
}

export const documents = {
  tenants: kept((baseUrl) => makeDocument(tenantApp, 'tenants', baseUrl)),
  operators: kept((baseUrl) => makeDocument(operatorApp, 'operators', baseUrl)),
}

/** The router by itself would take the word for an ID, and the method for that of another route. */
const spelledOut = createMiddleware<GatewayContext>(async (c, next) => {
  const allowed = spelled().get(c.req.path)
  if (allowed && !allowed.includes(c.req.method)) throw notAllowed(allowed)
  return next()
})

/** IDs of models hold a slash, which may come as it is: to the routes it is encoded. */
const modelPath = /^(\/ops\/v1\/models\/[^/]+)\/([^/]+\/(?:enable|disable))$/

export const app = newRouter((request) => getPath(request).replace(modelPath, '$1%2F$2'))
app.use(frame)
app.use(spelledOut)
app.get('/openapi.json', (c) => c.json(documents.tenants(c.var.config.baseUrl)))
app.get('/ops/openapi.json', (c) => c.json(documents.operators(c.var.config.baseUrl)))
app.route('/', openRoutes)
app.route('/', tenantApp)
app.route('/', operatorApp)

let known: ReturnType<typeof overlaid> | undefined

/** Worked out for the first request: a start has other things to do. */
function spelled() {
  known ??= overlaid(app.routes)
  return known
}

const notAllowed = (allowed: readonly string[]) =>
  new Problem('method-not-allowed', { headers: { Allow: allowed.join(', ') } })

app.notFound((c) => {
  const allowed = allowedMethods(app.routes, c.req.path)
  const problem =
    allowed.length > 0
      ? notAllowed(allowed)
      : new Problem('not-found', { detail: 'There is nothing at this path.' })
  return problem.toResponse(c.var.config.baseUrl, c.var.requestId)
})

app.onError(async (error, c) => {
  const problem = await charged(c, asProblem(error))
  if (problem.code === 'internal' || problem.members.cause) {
    const cause = problem.members.cause ?? error
    log('request.failed', { request_id: c.var.requestId, problem: problem.code, error: errorName(cause) })
  }
  return problem.toResponse(c.var.config.baseUrl, c.var.requestId)
})

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (!(error instanceof HTTPException)) return new Problem('internal', { cause: error })
  if (error.status === 415) return new Problem('unsupported-media-type')
  if (error.status === 413) return new Problem('payload-too-large')
  if (error.status === 400)
    return new Problem('invalid-request', {
      detail: 'The body is not valid JSON.',
      errors: [{ pointer: '', detail: 'Not valid JSON.' }],
    })
  return new Problem('internal', { cause: error })
}

/** A request that was refused before it reached the ledger counts too; if the rate is used up, that comes first. */
async function charged(c: Context<GatewayContext>, problem: Problem): Promise<Problem> {
  if (c.var.rate || !c.var.ledger || problem.code === 'internal') return problem
  try {
    await c.var.ledger((ledger) => ledger.charge())
    return problem
  } catch (refusal) {
    return refusal instanceof Problem ? refusal : problem
  }
}
