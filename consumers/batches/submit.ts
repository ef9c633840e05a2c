/**
 * Submits one chunk. The intent is on record before the provider is asked and the outcome after, so whoever comes to a submission
 * that has the one without the other knows that nobody knows: then the provider is asked whether it has it.
 */
import type { ChunkOrder, Submission, SubmissionOutcome } from '../../ledger/batches/protocol.ts'
import type { FailureClass } from '../../openapi/job-words.ts'
import type { BatchProvider, ChunkCall, ChunkInput, Reconciled } from '../batch-provider.ts'
import { whileSending } from '../memory.ts'
import { orAborted } from '../or-aborted.ts'
import { readableInputs } from './chunk-content.ts'
import type { Desk } from './desk.ts'
import { callFor, triedOf } from './request.ts'
import { sizeSent } from './sizes.ts'
import { tellFault, tellSubmission } from './tell.ts'

/** Until when the chunk need not be looked at again: its model has as many out as it may, or the provider may still be taking it in. */
export type Tried = { readonly notBefore: number } | null

/** After the ledger did not let it go. */
const REFUSED_MS = 1000

type Begun = Exclude<Submission, { kind: 'none' }>

/** `turn` names the occasion: the same when the step is repeated. */
export async function submitChunk(desk: Desk, model: string, chunk: number, turn: string): Promise<Tried> {
  const { acting, permits, ledger } = desk
  const closedUntil = await permits.closedUntil(model, chunk, turn)
  if (closedUntil !== null) return { notBefore: closedUntil }
  const submission = await ledger(
    async (object): Promise<Submission> => await object.beginSubmission(acting, chunk),
  )
  const outcome = submission.kind === 'none' ? null : await outcomeOf(desk, submission)
  if (outcome?.kind === 'accepted') await permits.areOut(model, [chunk])
  else await permits.notSubmitted(model, chunk, turn, outcome?.kind === 'failed' ? outcome : null)
  if (submission.kind === 'none') return { notBefore: Date.now() + REFUSED_MS }
  const told = outcome ?? ({ kind: 'unanswered' } as const)
  await ledger((object) => object.endSubmission(acting, triedOf(submission.order), told))
  // It stays as it is. A provider that was slow may still be about to take it: it is asked when that is over.
  if (!outcome) return { notBefore: Date.now() + desk.timeoutMs }
  tellSubmission(desk, submission, outcome)
  return null
}

interface Asking {
  readonly desk: Desk
  readonly provider: BatchProvider
  readonly order: ChunkOrder
}

/** Null while it cannot be found out. */
async function outcomeOf(desk: Desk, { kind, order }: Begun): Promise<SubmissionOutcome | null> {
  const provider = desk.providerOf(order.model)
  if (!provider) return failed('model_not_found')
  const asking = { desk, provider, order }
  return kind === 'submit' ? sent(asking) : reconciled(asking, callWithin(asking))
}

/** One limit for all that is asked: a provider takes no longer than one call may. */
const callWithin = ({ desk, order }: Asking) => callFor(order, AbortSignal.timeout(desk.timeoutMs))

const failed = (failure: FailureClass): SubmissionOutcome => ({
  kind: 'failed',
  class: failure,
  retryAfterMs: null,
})

async function sent(asking: Asking): Promise<SubmissionOutcome | null> {
  const { desk, order } = asking
  try {
    return await whileSending(sizeSent(order), async () => {
      const items = await readableInputs(desk, order)
      return items ? submitted(asking, callWithin(asking), items) : failed('internal')
    })
  } catch (error) {
    // The provider was not asked yet: whatever happens from there on is an outcome.
    tellFault(desk, 'batch.submit_failed', order, error)
    return failed('internal')
  }
}

async function submitted(
  asking: Asking,
  call: ChunkCall,
  items: readonly ChunkInput[],
): Promise<SubmissionOutcome | null> {
  const { desk, provider, order } = asking
  try {
    const answer = await orAborted(provider.submit({ ...call, items }), call.signal)
    if (answer.kind === 'unknown') return null
    if (answer.kind === 'failed') return answer
    return { kind: 'accepted', providerRequestId: answer.requestId }
  } catch (error) {
    if (call.signal.aborted) return null
    tellFault(desk, 'batch.submit_failed', order, error)
    const found = await reconciled(asking, call)
    return found?.kind === 'absent' ? failed('internal') : found
  }
}

async function reconciled(
  { desk, provider, order }: Asking,
  call: ChunkCall,
): Promise<SubmissionOutcome | null> {
  try {
    return told(await orAborted(provider.reconcile(call), call.signal))
  } catch (error) {
    tellFault(desk, 'batch.reconcile_failed', order, error)
    return null
  }
}

function told(answer: Reconciled): SubmissionOutcome | null {
  if (answer.kind === 'found') return { kind: 'accepted', providerRequestId: answer.requestId }
  if (answer.kind === 'unknowable' && answer.later) return null
  return { kind: answer.kind === 'absent' ? 'absent' : 'unknown' }
}
