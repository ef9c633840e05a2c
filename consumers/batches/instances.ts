/**
 * The Workflow instances of batches, as the queue sees to them: one that is missing is made, one that waits is woken, one that is
 * paused goes on, and one that has died, or does not show itself even when woken, is replaced by the next. The ledger hears one
 * instance only, so that two at once do no harm.
 *
 * The engine may lose an instance without a word: locally one whose process was killed stays `running` and never goes on by itself
 * (an event brings it back), in production one whose step failed for good is `errored`.
 */
import { type LedgerStub, withFreshStub } from '../../ledger/call.ts'
import { findLedgerName } from '../../ledger/directory/tenants.ts'
import { errorName, log } from '../../ledger/log.ts'
import { within } from '../../ledger/sender.ts'
import type { BatchParams } from './desk.ts'

export const WAKE = 'wake'

/** The engine may leave a call about an instance unanswered: the other batches of the queue are not to wait for that. */
const ENGINE_MS = 3000

interface Subject {
  readonly tenantId: string
  readonly batchId: string
}

type Env = Pick<ConsumersEnv, 'BATCH_WORKFLOW' | 'DIRECTORY' | 'LEDGERS'>

/** `again`: it was woken, but should have shown itself before; whether that helped is to be seen a little later. */
export type Tended = 'done' | 'again'

/** `again`: this is the second look, after `again`. */
export async function tendBatch(env: Env, subject: Subject, again: boolean): Promise<Tended> {
  const ledger = await ledgerFor(env, subject)
  const standing = await ledger?.((object) => object.instanceStanding(subject.batchId))
  if (!standing) return 'done'
  const { instance, silent } = standing
  const lives = instance > 0 && (await wake(env, { ...subject, instance }, silent))
  if (lives && !silent) return 'done'
  if (lives && !again) return 'again'
  if (lives) await retire(env, { ...subject, instance })
  await startNext(env, { ...subject, instance })
  return 'done'
}

/** The next instance takes over, if the ledger lets it. */
export async function startNext(env: Env, params: BatchParams): Promise<void> {
  const { batchId, instance } = params
  const ledger = await ledgerFor(env, params)
  const next = await ledger?.((object) => object.nextInstance(batchId, instance))
  if (!next) return
  await create(env, { ...params, instance: next })
  log('batch.instance_started', { tenant_id: params.tenantId, batch_id: batchId, instance: next })
}

async function ledgerFor({ DIRECTORY, LEDGERS }: Env, { tenantId }: Subject) {
  const name = await findLedgerName(DIRECTORY, tenantId, Date.now())
  if (name === null) return null
  return <T>(call: (object: LedgerStub) => Promise<T>) => withFreshStub(() => LEDGERS.getByName(name), call)
}

/** The first bears the ID of its batch. */
const idOf = ({ batchId, instance }: BatchParams) => (instance === 1 ? batchId : `${batchId}-${instance}`)

/** Makes the instance; one that is there already is left alone. False then. */
async function create({ BATCH_WORKFLOW }: Env, params: BatchParams): Promise<boolean> {
  const { tenantId, batchId, instance } = params
  const made = await BATCH_WORKFLOW.createBatch([
    { id: idOf(params), params: { tenantId, batchId, instance } },
  ])
  return made.length > 0
}

/** Whether the instance can be counted on to look at its batch soon. One that gives no answer may, until it stays silent. */
async function wake(env: Env, params: BatchParams, silent: boolean): Promise<boolean> {
  try {
    return await within(ENGINE_MS, wakeOrMake(env, params, silent))
  } catch (error) {
    log('batch.instance_not_woken', { batch_id: params.batchId, error: errorName(error) })
    return true
  }
}

/** Its number may be given while it was never made. */
async function wakeOrMake(env: Env, params: BatchParams, silent: boolean): Promise<boolean> {
  if (await create(env, params)) return true
  const instance = await env.BATCH_WORKFLOW.get(idOf(params))
  const { status } = await instance.status()
  if (['errored', 'terminated', 'complete', 'unknown'].includes(status)) return false
  if (status === 'paused' && silent) await instance.resume()
  // One that ends at this moment takes no events, and needs none.
  await instance.sendEvent({ type: WAKE, payload: {} }).catch(() => undefined)
  return true
}

/** Nobody hears it any more, and what it is about to do need not be done. */
async function retire({ BATCH_WORKFLOW }: Env, params: BatchParams): Promise<void> {
  const end = async () => (await BATCH_WORKFLOW.get(idOf(params))).terminate()
  try {
    await within(ENGINE_MS, end())
  } catch (error) {
    log('batch.instance_not_ended', { batch_id: params.batchId, error: errorName(error) })
  }
}
