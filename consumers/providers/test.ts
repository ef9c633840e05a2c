/** Models that misbehave on purpose and deterministically, so that customers and our own specs can try each state. */
import { type Attempt, failed, type Provider, type ProviderRequest } from '../provider.ts'
import { embedded } from './embedded.ts'

export const SLOW_MS = 5000
export const RATE_LIMIT_MS = 500
export const FLAKY_FAILURES = 2

type Behaviour = (request: ProviderRequest) => Promise<Attempt>

const always =
  (attempt: Attempt): Behaviour =>
  async () =>
    attempt

const behaviours: Record<string, Behaviour> = {
  'test/slow': async (request) => {
    await pause(SLOW_MS, request.signal)
    return embedded.run(request)
  },
  'test/hangs': ({ signal }) => pause(Number.POSITIVE_INFINITY, signal).then(() => failed('timeout')),
  'test/flaky': (request) =>
    request.attempt <= FLAKY_FAILURES
      ? always(failed('provider_unavailable'))(request)
      : embedded.run(request),
  'test/unavailable': always(failed('provider_unavailable')),
  'test/rate-limited': always(failed('rate_limited', RATE_LIMIT_MS)),
  'test/permission-denied': always(failed('permission_denied')),
  'test/content-filtered': always(failed('content_filtered')),
  'test/invalid-output': async (request) => {
    const attempt = await embedded.run(request)
    return attempt.kind === 'completed' ? { ...attempt, output: {} } : attempt
  },
  'test/priced': (request) => embedded.run(request),
  'test/limited': (request) => embedded.run(request),
  'test/unapproved': (request) => embedded.run(request),
  // Only their batches misbehave.
  'test/batch-partial': (request) => embedded.run(request),
  'test/batch-missing': (request) => embedded.run(request),
  'test/batch-duplicates': (request) => embedded.run(request),
  'test/batch-stuck': (request) => embedded.run(request),
}

export const test: Provider = {
  run: (request) => (behaviours[request.model] ?? always(failed('model_not_found')))(request),
}

/** Resolves after the time (for ever when infinite), rejects when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const timer = Number.isFinite(ms) ? setTimeout(resolve, ms) : null
    signal.addEventListener('abort', () => {
      if (timer !== null) clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
