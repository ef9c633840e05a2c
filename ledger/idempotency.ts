/** Idempotency keys: looked up before any state is asked, recorded in the transaction that does the work. */
import { eq } from 'drizzle-orm'
import type { LedgerContext } from './context.ts'
import { done, type Outcome, refused } from './replies.ts'
import { idempotencyKeys } from './schema.ts'
import { arg, type Db, rowOf, statement } from './store.ts'

/** SHA-256 of client, method, path and key, and of query and canonical body. */
export interface RequestKey {
  readonly hash: string
  readonly fingerprint: string
}

export interface FirstAnswer {
  readonly resourceId: string
  readonly response: string | null
  /** When the key was taken. */
  readonly createdAt: number
}

const findKey = statement((db) =>
  db
    .select()
    .from(idempotencyKeys)
    .where(eq(idempotencyKeys.keyHash, arg('hash')))
    .prepare(),
)
const insertKey = statement((db) => db.insert(idempotencyKeys).values(rowOf(idempotencyKeys)).prepare())

/** The first answer under this key, null if there is none, a refusal if the key was used for another request. */
export function firstAnswer(
  db: Db,
  key: RequestKey,
): FirstAnswer | null | Extract<Outcome<never>, { ok: false }> {
  const row = findKey(db).get({ hash: key.hash })
  if (!row) return null
  if (row.fingerprint !== key.fingerprint)
    return refused('idempotency-key-reused', 'This key came with another body or query before.')
  return { resourceId: row.resourceId, response: row.response, createdAt: row.createdAt }
}

export function recordKey(
  db: Db,
  key: RequestKey,
  resourceId: string,
  response: string | null,
  now: number,
): void {
  const { hash: keyHash, fingerprint } = key
  insertKey(db).run({ keyHash, fingerprint, resourceId, response, createdAt: now })
}

/** A tenant's POST. */
export interface Call {
  /** Minted by the gateway for this very call, so that one repeated after a lost reply is recognised as the same. */
  readonly id: string
  /** Null when the caller sent no Idempotency-Key. */
  readonly key: RequestKey | null
}

export interface Answered<T> {
  readonly value: T
  readonly replayed: boolean
}

/** Work that is one transaction: done once under its key, answered alike ever after. What is refused uses up no key. */
export function once<T>(
  { db, now }: LedgerContext,
  { id, key }: Call,
  work: () => Outcome<T>,
): Outcome<Answered<T>> {
  const first = key && firstAnswer(db, key)
  if (first && 'ok' in first) return first
  if (first) return done({ value: JSON.parse(first.response ?? '') as T, replayed: first.resourceId !== id })

  const outcome = work()
  if (!outcome.ok) return outcome
  if (key) recordKey(db, key, id, JSON.stringify(outcome.value), now)
  return done({ value: outcome.value, replayed: false })
}
