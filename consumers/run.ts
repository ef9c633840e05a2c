/** Runs one leased attempt: input from where it lies, the provider within its time, the output checked and put where it belongs. */
import { kindOf } from '../catalog/kinds.ts'
import { findModel } from '../catalog/models.ts'
import type { Lease } from '../ledger/claim.ts'
import { createIfAbsent, INLINE_BYTES, outputKey } from '../ledger/content.ts'
import { randomBytes } from '../ledger/ids.ts'
import { errorName, log } from '../ledger/log.ts'
import type { AttemptOutcome, Settlement } from '../ledger/settle.ts'
import { continueTrace } from '../ledger/trace.ts'
import { fileBytes } from './memory.ts'
import { orAborted } from './or-aborted.ts'
import { type Attempt, failed, type Provider, type ProviderRequest } from './provider.ts'
import { nameOf } from './providers/answer.ts'
import { resolveInput } from './resolve.ts'

export interface RunParts {
  readonly tenantId: string
  readonly content: R2Bucket
  readonly providers: Record<string, Provider>
  readonly timeoutMs: number
  readonly now: () => number
}

export interface Run {
  readonly settlement: Settlement
  readonly latencyMs: number
}

/** Always answers a settlement: what goes wrong here is an outcome of the attempt. `stop` aborts when the lease is lost. */
export async function runLease(lease: Lease, stop: AbortSignal, parts: RunParts): Promise<Run> {
  const startedAt = parts.now()
  const attempt = await attemptOf(lease, stop, parts)
  const outcome = await outcomeOf(lease, attempt, parts)
  const settlement = {
    jobId: lease.jobId,
    attempt: lease.attempt,
    outcome,
    usage: attempt.usage,
    providerRequestId: nameOf(attempt.providerRequestId),
    modelVersion: nameOf(attempt.kind === 'completed' ? attempt.modelVersion : null),
  }
  return { settlement, latencyMs: parts.now() - startedAt }
}

async function attemptOf(lease: Lease, stop: AbortSignal, parts: RunParts): Promise<Attempt> {
  const provider = parts.providers[findModel(lease.model)?.provider ?? '']
  if (!provider) return failed('model_not_found')
  try {
    const bytes = lease.files.reduce((sum, file) => sum + file.bytes, 0)
    // Reading and running take their time each.
    return await fileBytes.hold(bytes, 2 * parts.timeoutMs, stop, () =>
      resolvedAttempt(lease, provider, stop, parts),
    )
  } catch (error) {
    log('job.run_failed', { job_id: lease.jobId, attempt: lease.attempt, error: errorName(error) })
    return failed('internal')
  }
}

async function resolvedAttempt(
  lease: Lease,
  provider: Provider,
  stop: AbortSignal,
  parts: RunParts,
): Promise<Attempt> {
  const reading = AbortSignal.any([AbortSignal.timeout(parts.timeoutMs), stop])
  const resolved = await orAborted(resolveInput(lease, parts.content), reading)
  if (!resolved.ok) return failed(resolved.class)
  return callProvider(provider, requestFor(lease, resolved), parts.timeoutMs, stop)
}

type Asked = Omit<ProviderRequest, 'signal'>

/** One call within its time, whose answer counts when it holds the kind's contract. Faults of our own are thrown. */
export async function callProvider(
  provider: Provider,
  asked: Asked,
  timeoutMs: number,
  stop: AbortSignal,
): Promise<Attempt> {
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), stop])
  const request = { ...asked, signal }
  try {
    return verified(request, await orAborted(provider.run(request), signal))
  } catch (error) {
    // Stopped from outside, it is as unknown as after a timeout what the provider did.
    if (signal.aborted) return failed('timeout')
    throw error
  }
}

type Input = Pick<ProviderRequest, 'input' | 'audio'>

const requestFor = (lease: Lease, { input, audio }: Input): Asked => ({
  kind: lease.kind,
  model: lease.model,
  input,
  params: JSON.parse(lease.params ?? '{}') as unknown,
  audio,
  attempt: lease.attempt,
  idempotencyKey: lease.providerKey,
  traceparent: continueTrace(lease.traceparent, randomBytes),
})

/** What a provider calls an answer becomes one only when it holds the kind's contract; its cost stands either way. */
function verified({ kind, input, params }: ProviderRequest, attempt: Attempt): Attempt {
  if (attempt.kind === 'failed') return attempt
  const result = kindOf(kind).verify(attempt.output, input, params)
  if (result.ok) return { ...attempt, output: result.output }
  const { output: _, kind: _k, ...facts } = attempt
  return { kind: 'failed', class: 'invalid_output', retryAfterMs: null, ...facts }
}

async function outcomeOf(
  lease: Lease,
  attempt: Attempt,
  { tenantId, content }: RunParts,
): Promise<AttemptOutcome> {
  if (attempt.kind === 'failed')
    return { kind: 'failed', class: attempt.class, retryAfterMs: attempt.retryAfterMs }
  const text = JSON.stringify(attempt.output)
  const bytes = new TextEncoder().encode(text)
  if (bytes.byteLength <= INLINE_BYTES) return { kind: 'completed', output: text, outputRef: null }
  const outputRef = outputKey(tenantId, lease.jobId, lease.attempt)
  await content.put(outputRef, bytes, createIfAbsent)
  return { kind: 'completed', output: null, outputRef }
}
