/** Renews a tenant's leases together while their attempts run, and stops the attempts that are no longer theirs. */
import type { LedgerStub } from '../ledger/call.ts'
import type { Lease } from '../ledger/claim.ts'
import { errorName, log } from '../ledger/log.ts'

export interface Heart {
  /** Aborts when the attempt has lost its lease. */
  signalOf(lease: Lease): AbortSignal
  /** The attempt is over. */
  release(lease: Lease): void
  stop(): void
}

/** A lease is renewed when a third of it has passed, so that two beats may fail. */
const BEATS_PER_LEASE = 3
const SHORTEST_BEAT_MS = 500

export function startHeart(leases: Lease[], stub: () => LedgerStub, now = Date.now()): Heart {
  const held = new Map(leases.map((lease) => [lease.jobId, { lease, stop: new AbortController() }]))
  const shortest = Math.min(...leases.map(({ until }) => until - now))
  const everyMs = Math.max(SHORTEST_BEAT_MS, shortest / BEATS_PER_LEASE)
  const timer = leases.length > 0 ? setInterval(() => void beat(), everyMs) : null

  async function beat(): Promise<void> {
    if (held.size === 0) return
    try {
      const lost = await stub().heartbeat(
        Array.from(held.values(), ({ lease: { jobId, attempt } }) => ({ jobId, attempt })),
      )
      for (const jobId of lost) held.get(jobId)?.stop.abort(new Error('The lease was lost.'))
    } catch (error) {
      log('jobs.heartbeat_failed', { leases: held.size, error: errorName(error) })
    }
  }

  return {
    signalOf: ({ jobId }) => held.get(jobId)?.stop.signal ?? AbortSignal.abort(),
    release: ({ jobId }) => held.delete(jobId),
    stop: () => {
      if (timer !== null) clearInterval(timer)
    },
  }
}
