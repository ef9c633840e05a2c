/** What the steps of one Workflow instance work with: the ledger that it acts for, and where content, providers and gates are. */
import { findModel, type ProviderName } from '../../catalog/models.ts'
import type { Acting } from '../../ledger/batches/protocol.ts'
import { type LedgerStub, withFreshStub } from '../../ledger/call.ts'
import { findLedgerName } from '../../ledger/directory/tenants.ts'
import type { BatchProvider } from '../batch-provider.ts'
import { batchProvidersFor } from '../batch-providers.ts'
import { ChunkPermits } from '../gate/chunk-permits.ts'
import { settingsOf } from '../settings.ts'

export interface BatchParams {
  readonly tenantId: string
  readonly batchId: string
  readonly instance: number
}

export interface Desk {
  readonly tenantId: string
  readonly acting: Acting
  readonly content: R2Bucket
  readonly permits: ChunkPermits
  /** How long one call of a provider may take. */
  readonly timeoutMs: number
  /** Null where the deployment cannot call it. */
  readonly providerOf: (model: string) => BatchProvider | null
  readonly ledger: <T>(call: (ledger: LedgerStub) => Promise<T>) => Promise<T>
}

/** Null for a tenant that is not there (any more): then nothing is left to be done. */
export async function deskFor(env: ConsumersEnv, params: BatchParams): Promise<Desk | null> {
  const { tenantId, batchId, instance } = params
  const name = await findLedgerName(env.DIRECTORY, tenantId, Date.now())
  if (name === null) return null
  const settings = settingsOf(env)
  const providers = batchProvidersFor(env, settings, { content: env.CONTENT, tenantId, batchId })
  return {
    tenantId,
    acting: { batchId, instance },
    content: env.CONTENT,
    permits: new ChunkPermits({ gates: env.GATES, tenantId, batchId }),
    timeoutMs: settings.runTimeoutMs,
    providerOf: (model) => providers[providerNameOf(model)] ?? null,
    ledger: (call) => withFreshStub(() => env.LEDGERS.getByName(name), call),
  }
}

const providerNameOf = (model: string) => (findModel(model)?.provider ?? '') as ProviderName
