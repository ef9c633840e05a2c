/** Idempotency keys: looked up before any state is asked, recorded in the transaction that does the work. */
import { eq, sql } from 'drizzle-orm'
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
const insertFreeKey = statement((db) =>
  db
    .insert(idempotencyKeys)
    .values(rowOf(idempotencyKeys))
    .onConflictDoNothing()
    .returning({ taken: sql`1` })
    .prepare(),
)

/** What is on record under a key, null if there is nothing, a refusal if the key was used for another request. */
export type OnRecord = FirstAnswer | null | Extract<Outcome<never>, { ok: false }>

export function firstAnswer(db: Db, key: RequestKey): OnRecord {
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

/** Takes a key that is free, and answers null; else what is on record. A key is nearly always new: one statement, where looking first is two. */
export function takeKey(db: Db, key: RequestKey, resourceId: string, now: number): OnRecord {
  const { hash: keyHash, fingerprint } = key
  const row = { keyHash, fingerprint, resourceId, response: null, createdAt: now }
  return insertFreeKey(db).values(row).length > 0 ? null : firstAnswer(db, key)
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

/** What the call was answered with before, under its key; null for work that is still to be done. */
export function answeredBefore<T>(db: Db, { id, key }: Call): Outcome<Answered<T> | null> {
  const first = key && firstAnswer(db, key)
  if (first && 'ok' in first) return first
  return done(first && { value: JSON.parse(first.response ?? '') as T, replayed: first.resourceId !== id })
}

/** Work that is one transaction: done once under its key, answered alike ever after. What is refused uses up no key. */
export function once<T>(
  { db, now }: LedgerContext,
  call: Call,
  work: () => Outcome<T>,
): Outcome<Answered<T>> {
  const before = answeredBefore<T>(db, call)
  if (!before.ok) return before
  if (before.value) return done(before.value)

  const outcome = work()
  if (!outcome.ok) return outcome
  if (call.key) recordKey(db, call.key, call.id, JSON.stringify(outcome.value), now)
  return done({ value: outcome.value, replayed: false })
}
