/** What operators call, as described by the document for operators. */
import { newRouter } from './router.ts'
import { alertEndpointActionRoutes } from './routes/alert-endpoint-actions.ts'
import { alertEndpointRoutes } from './routes/alert-endpoints.ts'
import { alertRoutes } from './routes/alerts.ts'
import { auditLogRoutes } from './routes/audit-log.ts'
import { clientActionRoutes } from './routes/client-actions.ts'
import { clientRoutes } from './routes/clients.ts'
import { deadLetterRoutes } from './routes/dead-letters.ts'
import { intakeRoutes } from './routes/intake.ts'
import { issuerRoutes } from './routes/issuers.ts'
import { metricsRoutes } from './routes/metrics.ts'
import { modelEvaluationRoutes } from './routes/model-evaluations.ts'
import { modelOrderRoutes } from './routes/model-orders.ts'
import { operatorBatchRoutes } from './routes/operator-batches.ts'
import { operatorJobRoutes } from './routes/operator-jobs.ts'
import { operatorUsageRoutes } from './routes/operator-usage.ts'
import { redriveRoutes } from './routes/redrives.ts'
import { resealingRoutes } from './routes/resealing.ts'
import { restoreRoutes } from './routes/restores.ts'
import { tenantActionRoutes } from './routes/tenant-actions.ts'
import { tenantDeletionRoutes } from './routes/tenant-deletion.ts'
import { tenantRoutes } from './routes/tenants.ts'

export const allOperatorRoutes = newRouter()
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
