/** The directory (D1): what crosses tenants. Times are milliseconds since the epoch. */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { ClientKeys } from '../../openapi/client-keys.ts'
import type { DeadLetterStatus } from '../../openapi/dead-letters.ts'
import type { PlanInput } from '../../openapi/plan.ts'
import type { TenantStatus } from '../../openapi/tenant-words.ts'
import type { DayUsage, Figures } from '../figures.ts'

/** The whole of the schema is named here: migrations are made from this file. */
export * from './operating-schema.ts'

export const tenants = sqliteTable(
  'tenants',
  {
    id: text().primaryKey(),
    /** Part of the ledger's name, so that a tenant created again under an old ID never meets its old ledger. */
    generation: integer().notNull(),
    status: text().$type<TenantStatus>().notNull(),
    /** The limits that were named; `ledger/plan.ts` says what follows for the others. */
    plan: text({ mode: 'json' }).$type<PlanInput>().notNull(),
    /** Grows with each change of status, plan, epoch or hold; a ledger takes no older standing than it has. */
    standingRevision: integer().notNull().default(1),
    /** Grows each time that the ledger is restored from a point in time. */
    restoreEpoch: integer().notNull().default(0),
    /** After a restore, until an operator lets the ledger go on. */
    held: integer({ mode: 'boolean' }).notNull().default(false),
    createdAt: integer().notNull(),
  },
  (tenant) => [index('tenants_deleting').on(tenant.id).where(sql`${tenant.status} = 'deleting'`)],
)

/** What is known of a tenant that was deleted: the generation that its ID had last, so that the next has another. */
export const formerTenants = sqliteTable('former_tenants', {
  id: text().primaryKey(),
  generation: integer().notNull(),
  deletedAt: integer().notNull(),
})

/** A secret from before a rotation, and until when it is still taken. */
export interface FormerSecret {
  readonly hash: string
  readonly until: number
}

export const clients = sqliteTable(
  'clients',
  {
    id: text().primaryKey(),
    /** Null for operators. */
    tenantId: text(),
    name: text().notNull(),
    scopes: text({ mode: 'json' }).$type<string[]>().notNull(),
    /** SHA-256 of the secret, base64url; the secret is 256 random bits, so a slow hash would add nothing. Null with keys. */
    secretHash: text(),
    formerSecrets: text({ mode: 'json' }).$type<FormerSecret[]>().notNull().default([]),
    /** Public keys of a client that has no secret. */
    jwks: text({ mode: 'json' }).$type<ClientKeys>(),
    disabledAt: integer(),
    createdAt: integer().notNull(),
  },
  (client) => [index('clients_tenant').on(client.tenantId, client.id)],
)

/** Assertions by which clients proved who they are, so that none does so twice. */
export const usedAssertions = sqliteTable(
  'used_assertions',
  {
    /** SHA-256 of client and `jti`. */
    hash: text().primaryKey(),
    /** Nothing takes it any more from then on. */
    expiresAt: integer().notNull(),
  },
  (used) => [index('used_assertions_expired').on(used.expiresAt)],
)

/** A public key as an issuer published it, bound to one algorithm; what else came with it is left out. */
export interface PublishedKey {
  readonly kid: string
  readonly alg: string
  readonly kty: string
  readonly crv?: string
  readonly x?: string
  readonly y?: string
  readonly n?: string
  readonly e?: string
}

/** Issuers other than our own: each is trusted for one tenant, and for what it may grant there. */
export const issuers = sqliteTable(
  'issuers',
  {
    id: text().primaryKey(),
    tenantId: text().notNull(),
    /** Byte for byte as its tokens name it. */
    issuer: text().notNull(),
    /** Null for the address of the API. */
    audience: text(),
    scopes: text({ mode: 'json' }).$type<string[]>().notNull(),
    createdAt: integer().notNull(),
    keys: text({ mode: 'json' }).$type<PublishedKey[]>().notNull(),
    /** When the keys were last read; null when they never were. */
    keysReadAt: integer(),
    /** How often in a row they could not be read, and why the last time. */
    failures: integer().notNull(),
    keysError: text(),
    /** The issuer is left alone until then, by every isolate. */
    nextReadAt: integer().notNull(),
    /** One isolate is reading, and has until then to tell. */
    claimedUntil: integer().notNull(),
  },
  (issuer) => [
    uniqueIndex('issuers_issuer').on(issuer.issuer),
    index('issuers_tenant').on(issuer.tenantId, issuer.id),
  ],
)

export const deadLetters = sqliteTable(
  'dead_letters',
  {
    id: text().primaryKey(),
    queue: text().notNull(),
    tenantId: text(),
    jobId: text(),
    batchId: text(),
    deliveryId: text(),
    schemaVersion: integer(),
    class: text().notNull(),
    attempts: integer().notNull(),
    messageSha256: text(),
    status: text().$type<DeadLetterStatus>().notNull(),
    redrivable: integer({ mode: 'boolean' }).notNull(),
    redriveReason: text().notNull(),
    redriveConditions: text({ mode: 'json' }).$type<string[]>().notNull(),
    /** Until when the job's input is kept; null where there is none. */
    inputKeptUntil: integer(),
    createdAt: integer().notNull(),
    reviewBy: integer().notNull(),
    redrivenBy: text(),
    redrivenAt: integer(),
    redriveNote: text(),
    newJobId: text(),
  },
  (letter) => [
    uniqueIndex('dead_letters_job').on(letter.jobId),
    uniqueIndex('dead_letters_message').on(letter.queue, letter.messageSha256),
    index('dead_letters_status').on(letter.status, letter.id),
    index('dead_letters_tenant').on(letter.tenantId),
  ],
)

/** One absolute snapshot for each ledger, written every `ROLL_UP_SECONDS` at most while it is active. */
export const rollUps = sqliteTable(
  'roll_ups',
  {
    ledger: text().primaryKey(),
    /** Grows with each snapshot; an older one never overwrites a newer. */
    revision: integer().notNull(),
    /** Unfinished jobs, and batches that are worked for. */
    openJobs: integer().notNull(),
    updatedAt: integer().notNull(),
    figures: text({ mode: 'json' }).$type<Figures>().notNull(),
  },
  (rollUp) => [index('roll_ups_stale').on(rollUp.updatedAt).where(sql`${rollUp.openJobs} > 0`)],
)

/** What each ledger's tenant used on a day (UTC, such as `20261130`), by kind and model: absolute, like the snapshots. Outlives them. */
export const usageDays = sqliteTable(
  'usage_days',
  {
    ledger: text().notNull(),
    day: integer().notNull(),
    tenantId: text().notNull(),
    /** That of the snapshot that it came with. */
    revision: integer().notNull(),
    figures: text({ mode: 'json' }).$type<DayUsage[]>().notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.ledger, row.day] }),
    index('usage_days_tenant').on(row.tenantId, row.day),
    index('usage_days_day').on(row.day),
  ],
)

/** Dead letters that were recorded, ever: the letters themselves go after a year. */
export const deadLetterTotals = sqliteTable(
  'dead_letter_totals',
  { queue: text().notNull(), class: text().notNull(), recorded: integer().notNull() },
  (row) => [primaryKey({ columns: [row.queue, row.class] })],
)
