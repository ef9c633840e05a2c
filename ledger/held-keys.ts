/**
 * Keys of work that is not one transaction: held while it runs, so that a repetition meanwhile is told to wait, and given the answer
 * when it ends. Whoever holds a key and dies loses it.
 */
import { and, eq } from 'drizzle-orm'
import type { LedgerContext } from './context.ts'
import { type Call, type FirstAnswer, firstAnswer, type RequestKey } from './idempotency.ts'
import { done, type Outcome, refused } from './replies.ts'
import { idempotencyKeys } from './schema.ts'

/** The response of a key whose work is still running. */
const UNANSWERED = ''
/** Longer than such work takes; after that it counts as broken off. */
const HELD_MS = 30_000
const RETRY_AFTER_SECONDS = 5

/** The answer of before, or what the work begins with. */
export type Begun<T> = { readonly answer: string } | { readonly begun: T }

/** Takes the call's key, unless there is an answer under it or its work is running. `prepare` may refuse: then no key is used up. */
export function beginCall<T>(ctx: LedgerContext, call: Call, prepare: () => Outcome<T>): Outcome<Begun<T>> {
  const first = call.key && firstAnswer(ctx.db, call.key)
  if (first && 'ok' in first) return first
  if (first?.response) return done({ answer: first.response })
  if (first && isHeldByAnother(first, call, ctx.now)) return inProgress

  const outcome = prepare()
  if (!outcome.ok) return outcome
  if (call.key) hold(ctx, call.id, call.key)
  return done({ begun: outcome.value })
}

const isHeldByAnother = ({ resourceId, createdAt }: FirstAnswer, { id }: Call, now: number) =>
  resourceId !== id && now < createdAt + HELD_MS

const inProgress = refused(
  'idempotency-in-progress',
  'The first request with this key has been taken but not answered yet.',
  { retryAfterSeconds: RETRY_AFTER_SECONDS },
)

function hold({ db, now }: LedgerContext, callId: string, { hash, fingerprint }: RequestKey): void {
  const held = { fingerprint, resourceId: callId, response: UNANSWERED, createdAt: now }
  db.insert(idempotencyKeys)
    .values({ keyHash: hash, ...held })
    .onConflictDoUpdate({ target: idempotencyKeys.keyHash, set: held })
    .run()
}

/** The row, as long as this call holds it. */
const heldBy = (callId: string, { hash }: RequestKey) =>
  and(
    eq(idempotencyKeys.keyHash, hash),
    eq(idempotencyKeys.resourceId, callId),
    eq(idempotencyKeys.response, UNANSWERED),
  )

/** Keeps the answer (JSON), for whoever asks again. */
export function finishCall({ db }: LedgerContext, { id, key }: Call, answer: string): void {
  if (key) db.update(idempotencyKeys).set({ response: answer }).where(heldBy(id, key)).run()
}

/** The work broke off: the key is free again. */
export function abandonCall({ db }: LedgerContext, { id, key }: Call): void {
  if (key) db.delete(idempotencyKeys).where(heldBy(id, key)).run()
}
