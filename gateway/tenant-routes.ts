/** What tenants' clients call, as described by the document for tenants. */
import { newRouter } from './router.ts'
import { accountRoutes } from './routes/account.ts'
import { batchActionRoutes } from './routes/batch-actions.ts'
import { batchContentRoutes } from './routes/batch-contents.ts'
import { batchRoutes } from './routes/batches.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { eventRoutes } from './routes/events.ts'
import { fileRoutes } from './routes/files.ts'
import { jobRoutes } from './routes/jobs.ts'
import { modelRoutes } from './routes/models.ts'
import { webhookEndpointActionRoutes } from './routes/webhook-endpoint-actions.ts'
import { webhookEndpointRoutes } from './routes/webhook-endpoints.ts'
import { webhookReplayRoutes } from './routes/webhook-replays.ts'
import { webhookSigningKeyRoutes } from './routes/webhook-signing-keys.ts'

/** All but those of single jobs, which are most requests. */
export const otherTenantRoutes = newRouter()
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

export const allTenantRoutes = newRouter().route('/', jobRoutes).route('/', otherTenantRoutes)
