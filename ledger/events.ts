/** Events: written with the change that they tell, together with one delivery for each endpoint that wants them. */
import { max } from 'drizzle-orm'
import type { AnyEventType } from '../openapi/alert-words.ts'
import type { JobStatus } from '../openapi/job-words.ts'
import type { EventType } from '../openapi/webhooks.ts'
import type { LedgerContext } from './context.ts'
import { eventsBefore } from './epoch.ts'
import { failures } from './failure.ts'
import { mintSequencedId } from './ids.ts'
import type { JobRecord } from './jobs.ts'

import { deliveries, events } from './schema.ts'
import { type Db, rowOf, statement } from './store.ts'
import { type Subscription, subscriptions } from './subscriptions.ts'
import { jobUrls, nullableTimestamp, timestamp } from './wire.ts'

const typeOf: Partial<Record<JobStatus, EventType>> = {
  accepted: 'job.accepted',
  succeeded: 'job.result_available',
  failed: 'job.failed',
  cancelled: 'job.cancelled',
}

const lastSequence = statement((db) =>
  db
    .select({ last: max(events.sequence) })
    .from(events)
    .prepare(),
)
const insertEvent = statement((db) => db.insert(events).values(rowOf(events)).prepare())
const insertDelivery = statement((db) => db.insert(deliveries).values(rowOf(deliveries)).prepare())

/** Payloads are thin: what a receiver needs beyond this it reads (Standard Webhooks 1.0.0, "Payload size"). In bytes. */
const MOST_BYTES = 20_000

export interface Told {
  readonly type: AnyEventType
  readonly subjectId: string
  readonly data: Readonly<Record<string, unknown>>
  /** An endpoint that is not to hear of it: the one that it is about. */
  readonly exceptFor?: string
}

/** Appends the event of the job's present status. An item of a batch tells nothing by itself. */
export function appendEvent(ctx: LedgerContext, job: JobRecord): void {
  const type = typeOf[job.status]
  if (!type || job.batchId) return
  append(ctx, { type, subjectId: job.id, data: dataOf(ctx, job) })
}

/** Appends an event about an endpoint, for the tenant's other endpoints. `lastError` as in the attempt. */
export function appendEndpointEvent(
  ctx: LedgerContext,
  { id, status, disabledReason, sequence, health }: Subscription,
  type: 'webhook_endpoint.failing' | 'webhook_endpoint.disabled',
  lastError: string | null,
): void {
  const data = {
    id,
    object: 'webhook_endpoint',
    status,
    disabled_reason: disabledReason,
    sequence,
    failing_since: nullableTimestamp(health.failingSince),
    last_error: lastError,
  }
  append(ctx, { type, subjectId: id, data, exceptFor: id })
}

/** Appends an event, with a delivery for each endpoint that wants it. */
export function append(ctx: LedgerContext, told: Told): void {
  const { type, subjectId, data } = told
  const sequence = nextSequence(ctx)
  const id = mintSequencedId('evt', ctx.identity.shard, ctx.now, sequence, ctx.randomBytes)
  const head = { id, object: 'event', type, timestamp: timestamp(ctx.now) }
  insertEvent(ctx.db).run({ sequence, id, type, subjectId, createdAt: ctx.now, body: bodyOf(head, data) })
  owe(ctx, sequence, told)
}

/** Metadata is all that can make an event large; where it does, it is left out, and said to be. */
function bodyOf(head: object, data: Told['data']): string {
  const body = JSON.stringify({ ...head, data })
  if (body.length * 3 <= MOST_BYTES || new TextEncoder().encode(body).length <= MOST_BYTES) return body
  return JSON.stringify({ ...head, data: { ...data, metadata: {}, metadata_omitted: true } })
}

const given = new WeakMap<Db, number>()

/**
 * The newest event is never deleted, so its number is never given twice. A number given in a transaction that then failed is left
 * out: the feed has an order, and need not be without gaps. A restore forgets events, whose numbers are left out as well.
 */
function nextSequence({ db, standing }: LedgerContext): number {
  const last = given.get(db) ?? lastSequence(db).get()?.last ?? 0
  const next = Math.max(last, eventsBefore(standing.restoreEpoch)) + 1
  given.set(db, next)
  return next
}

const dataOf = ({ settings }: LedgerContext, job: JobRecord) => ({
  id: job.id,
  object: 'job',
  kind: job.kind,
  status: job.status,
  sequence: job.sequence,
  ...jobUrls(settings.baseUrl, job.id),
  metadata: job.metadata,
  redrive_of: job.redriveOf,
  ...(job.errorClass && { error: errorOf(job.errorClass) }),
})

export const errorOf = (errorClass: NonNullable<JobRecord['errorClass']>) => ({
  class: errorClass,
  message: failures[errorClass].message,
  retryable: failures[errorClass].retryable,
})

/** What a disabled endpoint would have got is held for it, not dropped. */
function owe(ctx: LedgerContext, eventSequence: number, { type, subjectId, exceptFor }: Told): void {
  const { db, now, identity, randomBytes } = ctx
  for (const endpoint of subscriptions(db)) {
    if (!wants(endpoint.eventTypes, type) || endpoint.id === exceptFor) continue
    const id = mintSequencedId('dlv', identity.shard, now, eventSequence, randomBytes)
    const state =
      endpoint.status === 'enabled' ? { status: 'pending', dueAt: now } : { status: 'held', dueAt: null }
    const orderedSubject = endpoint.ordered ? subjectId : null
    const row = {
      eventSequence,
      endpointId: endpoint.id,
      id,
      ...state,
      tries: 0,
      orderedSubject,
      attempts: [],
    }
    insertDelivery(db).run(row)
  }
}

/** Whether a subscription covers the event: its name, its family (`job.*`) or everything (`*`). */
export const wants = (subscribed: readonly string[], type: AnyEventType) =>
  subscribed.some(
    (one) => one === '*' || one === type || (one.endsWith('.*') && type.startsWith(one.slice(0, -1))),
  )
