/** What a tenant does with its webhook endpoints: create, change, delete. Secrets arrive sealed. */
import { eq } from 'drizzle-orm'
import type { LedgerContext } from './context.ts'
import { cancelUndelivered, holdDue, orderUndelivered } from './endpoint-deliveries.ts'
import { disableEndpoint, enable } from './endpoint-status.ts'
import {
  changeEndpoint,
  countEndpoints,
  type EndpointRow,
  type EndpointSnapshot,
  findEndpoint,
  noSuchEndpoint,
  readEndpoint,
  snapshotOf,
} from './endpoints.ts'
import { type Answered, type Call, once } from './idempotency.ts'
import { done, type Outcome, refused } from './replies.ts'
import { type SigningKey, webhookEndpoints } from './schema.ts'
import { subscriptionsChanged } from './subscriptions.ts'
import { healthy } from './webhooks/health.ts'

/** What its owner decides about an endpoint. */
export type EndpointFields = Pick<
  EndpointRow,
  | 'url'
  | 'eventTypes'
  | 'description'
  | 'signing'
  | 'ordered'
  | 'maxPerSecond'
  | 'headerNames'
  | 'sealedHeaders'
  | 'metadata'
>

export interface EndpointRequest extends EndpointFields {
  readonly signingKey: SigningKey
}

/** The call's ID becomes the endpoint's. */
export function createEndpoint(
  ctx: LedgerContext,
  call: Call,
  request: EndpointRequest,
): Outcome<Answered<EndpointSnapshot>> {
  return once(ctx, call, () => {
    const repeated = findEndpoint(ctx.db, call.id)
    if (repeated) return done(snapshotOf(repeated, ctx.now))
    return isFull(ctx) ? tooMany(ctx) : done(add(ctx, call.id, request))
  })
}

const isFull = ({ db, plan }: LedgerContext) => countEndpoints(db) >= plan.max_webhook_endpoints

const tooMany = ({ plan }: LedgerContext) =>
  refused(
    'invalid-request',
    `The tenant has ${plan.max_webhook_endpoints} webhook endpoints, as many as its plan allows. Delete one that is of no use any more, or ask for a higher limit.`,
  )

function add(ctx: LedgerContext, id: string, { signingKey, ...fields }: EndpointRequest): EndpointSnapshot {
  const row: EndpointRow = {
    ...fields,
    id,
    status: 'enabled',
    disabledReason: null,
    keys: [signingKey],
    health: healthy,
    sequence: 0,
    createdAt: ctx.now,
  }
  ctx.db.insert(webhookEndpoints).values(row).run()
  subscriptionsChanged(ctx.db)
  return snapshotOf(row, ctx.now)
}

/** What is not named stays as it is. */
export interface EndpointChange extends Partial<EndpointFields> {
  readonly status?: EndpointRow['status']
}

export function updateEndpoint(
  ctx: LedgerContext,
  id: string,
  { status, ...fields }: EndpointChange,
): Outcome<EndpointSnapshot> {
  const before = findEndpoint(ctx.db, id)
  if (!before) return noSuchEndpoint
  change(ctx, before, fields)
  if (status === 'enabled') enable(ctx, id, true)
  // What disabled it in the first place stays on record.
  if (status === 'disabled' && before.status === 'enabled') disableEndpoint(ctx, id, 'requested')
  else if (status === 'disabled') holdDue(ctx.db, id)
  return readEndpoint(ctx.db, id, ctx.now)
}

/** Another URL is another receiver, so what is known of the old one's health says nothing. */
function change({ db, now }: LedgerContext, before: EndpointRow, fields: Partial<EndpointFields>): void {
  if (Object.keys(fields).length === 0) return
  const moved = fields.url !== undefined && fields.url !== before.url
  changeEndpoint(db, before.id, { ...fields, ...(moved && { health: { ...healthy, since: now } }) })
  const { ordered } = fields
  if (ordered !== undefined && ordered !== before.ordered) orderUndelivered(db, before.id, ordered)
}

/** Ends what was still to be delivered, at once. */
export function deleteEndpoint({ db }: LedgerContext, id: string): Outcome<null> {
  if (!findEndpoint(db, id)) return noSuchEndpoint
  db.delete(webhookEndpoints).where(eq(webhookEndpoints.id, id)).run()
  subscriptionsChanged(db)
  cancelUndelivered(db, id)
  return done(null)
}
