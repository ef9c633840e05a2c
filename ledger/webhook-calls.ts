/** What a ledger is asked about webhooks: by its tenant, and by the callback Worker. */
import { AlertCalls } from './alert-calls.ts'
import {
  type DeliveryFilter,
  type DeliveryListing,
  type DeliveryPosition,
  type DeliverySnapshot,
  findDelivery,
  listDeliveries,
} from './delivery-lists.ts'
import { type DrainReply, type DrainTurn, ended, turnDeliveries } from './drain-turn.ts'
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointChange,
  type EndpointRequest,
  updateEndpoint,
} from './endpoint-changes.ts'
import { enableEndpoint } from './endpoint-status.ts'
import { type EndpointListing, type EndpointSnapshot, listEndpoints, readEndpoint } from './endpoints.ts'
import { type FeedPage, type FeedQuery, newsOf, readFeed } from './feed.ts'
import { abandonCall, type Begun, finishCall } from './held-keys.ts'
import { type Answered, answeredBefore, type Call } from './idempotency.ts'
import { type Patient, readPatiently } from './patient-reads.ts'
import { type Replayed, type ReplayOrder, replayEvents } from './replay.ts'
import { done, type Reply } from './replies.ts'
import { noSuchDelivery, retryDelivery } from './retry-delivery.ts'
import type { SigningKey } from './schema.ts'
import { replaceSealed, type SealedText, sealedTexts } from './sealed-texts.ts'
import { listPublicKeys, type PublicKeyListing, rotateSecret } from './signing-keys.ts'
import type { Patience } from './waiters.ts'
import { beginTest } from './webhook-tests.ts'
import type { SealedRecipient } from './webhooks/recipient.ts'

export abstract class WebhookCalls extends AlertCalls {
  /** Before the host of an endpoint's URL is looked up: the answer of before, null for an endpoint to be created. Counts as the request. */
  foretellEndpoint(call: Call): Reply<Answered<EndpointSnapshot> | null> {
    return this.runtime.desk.admit(({ db }) => answeredBefore(db, call))
  }

  /** The request was counted by `foretellEndpoint`. */
  createEndpoint(call: Call, request: EndpointRequest): Reply<Answered<EndpointSnapshot>> {
    return this.runtime.desk.admit((ctx) => createEndpoint(ctx, call, request), true)
  }

  listEndpoints(after: string | null, limit: number): Reply<EndpointListing> {
    return this.runtime.desk.admit(({ db, now }) => done(listEndpoints(db, after, limit, now)))
  }

  readEndpoint(id: string): Reply<EndpointSnapshot> {
    return this.runtime.desk.admit(({ db, now }) => readEndpoint(db, id, now))
  }

  /** One that names a URL was counted as a request by `readEndpoint`, before its host was looked up. */
  updateEndpoint(id: string, change: EndpointChange): Reply<EndpointSnapshot> {
    return this.runtime.desk.admit((ctx) => updateEndpoint(ctx, id, change), change.url !== undefined)
  }

  deleteEndpoint(id: string): Reply<null> {
    return this.runtime.desk.admit((ctx) => deleteEndpoint(ctx, id))
  }

  enableEndpoint(call: Call, id: string, withHeld: boolean): Reply<Answered<EndpointSnapshot>> {
    return this.runtime.desk.admit((ctx) => enableEndpoint(ctx, call, id, withHeld))
  }

  rotateSecret(
    call: Call,
    id: string,
    key: SigningKey,
    overlapMs: number,
  ): Reply<Answered<EndpointSnapshot>> {
    return this.runtime.desk.admit((ctx) => rotateSecret(ctx, call, id, key, overlapMs))
  }

  listPublicKeys(after: string | null, limit: number): Reply<PublicKeyListing> {
    return this.runtime.desk.admit(({ db, now }) => done(listPublicKeys(db, after, limit, now)))
  }

  /** Before a test webhook is sent: to whom, or what the same call was answered with before. */
  beginTest(call: Call, endpointId: string): Reply<Begun<SealedRecipient>> {
    return this.runtime.desk.admit((ctx) => beginTest(ctx, call, endpointId))
  }

  /** Keeps the answer (JSON) of a call that began and ran outside of here. It was counted when it began. */
  finishCall(call: Call, answer: string): Reply<null> {
    return this.runtime.desk.admit((ctx) => {
      finishCall(ctx, call, answer)
      return done(null)
    }, true)
  }

  /** Such a call broke off. */
  abandonCall(call: Call): Reply<null> {
    return this.runtime.desk.admit((ctx) => {
      abandonCall(ctx, call)
      return done(null)
    }, true)
  }
  readDelivery(id: string): Reply<DeliverySnapshot> {
    return this.runtime.desk.admit(({ db }) => {
      const delivery = findDelivery(db, id)
      return delivery ? done(delivery) : noSuchDelivery()
    })
  }

  listDeliveries(
    filter: DeliveryFilter,
    after: DeliveryPosition | null,
    limit: number,
  ): Reply<DeliveryListing> {
    return this.runtime.desk.admit(({ db }) => done(listDeliveries(db, filter, after, limit)))
  }

  retryDelivery(call: Call, id: string): Reply<Answered<DeliverySnapshot>> {
    return this.runtime.desk.admit((ctx) => retryDelivery(ctx, call, id))
  }

  replayEvents(call: Call, order: ReplayOrder): Reply<Answered<Replayed>> {
    return this.runtime.desk.admit((ctx) => replayEvents(ctx, call, order))
  }

  /** An empty page waits for an event. It counts as one request. */
  readFeed(query: FeedQuery, patience: Patience | null): Promise<Reply<Patient<FeedPage>>> {
    return readPatiently(this.runtime, patience, {
      read: ({ db, standing }) => readFeed(db, query, standing.restoreEpoch),
      isBare: ({ bodies, nextAfter }) => bodies.length === 0 && nextAfter === null,
      news: () => newsOf(this.runtime.db, query.types),
    })
  }

  /** For operators: what is sealed here. Empty from a ledger that is not provisioned. */
  sealedTexts(): SealedText[] {
    return this.runtime.desk.work([], ({ db }) => sealedTexts(db))
  }

  /** The same sealed under another key; answers how many were put in the place of what they replace. */
  replaceSealed(replacements: ReadonlyMap<string, string>): number {
    return this.runtime.desk.work(0, (ctx) => replaceSealed(ctx, replacements))
  }

  /** One turn of the callback Worker's drain of an endpoint. */
  async turnDeliveries(turn: DrainTurn): Promise<DrainReply> {
    await this.runtime.informed()
    const { desk, outgoing } = this.runtime
    const reply = desk.work(ended, (ctx) => turnDeliveries(ctx, turn, outgoing, !desk.sends))
    if (reply.deliveries.length === 0 && reply.againInMs === null && turn.underway === 0)
      this.runtime.drained(turn.endpointId)
    return reply
  }
}
