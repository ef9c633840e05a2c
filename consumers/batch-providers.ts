/** The batch sides of the providers by name. A new one is one file in `providers/` and one row here. */
import type { ProviderName } from '../catalog/models.ts'
import { batchFolder } from '../ledger/content.ts'
import { timeOf } from '../ledger/ids.ts'
import type { BatchProvider } from './batch-provider.ts'
import { embeddedBatch } from './providers/embedded-batch.ts'
import { openaiBatch } from './providers/openai-batch.ts'
import { testBatch } from './providers/test-batch.ts'
import { workersAiBatch } from './providers/workers-ai-batch.ts'
import type { Settings } from './settings.ts'

/** Whose batch it is, and where what a provider must remember of it is kept. */
export interface BatchPlace {
  readonly content: R2Bucket
  readonly tenantId: string
  readonly batchId: string
}

/** Those that this deployment can call. */
export function batchProvidersFor(
  env: ConsumersEnv,
  { embeddedBatchMs, openai }: Settings,
  { content, tenantId, batchId }: BatchPlace,
): Partial<Record<ProviderName, BatchProvider>> {
  const folder = batchFolder(tenantId, batchId)
  const parts = { content, folder, readyMs: embeddedBatchMs, now: Date.now }
  return {
    embedded: embeddedBatch(parts),
    test: testBatch(parts),
    ...(openai && { openai: openaiBatch({ ...openai, fetch, now: Date.now, since: timeOf(batchId) }) }),
    ...(env.AI && { 'workers-ai': workersAiBatch(env.AI) }),
  }
}
