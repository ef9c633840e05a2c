/** What a ledger is made of, and how its parts are tied to one another. */
import { Waker } from './batches/waker.ts'
import { BURIED } from './buried-figures.ts'
import { Carrier } from './carrier.ts'
import type { Tally } from './context.ts'
import { Desk } from './desk.ts'
import { readTold, type Told } from './directory/orders.ts'
import { partsOf } from './directory/tenants.ts'
import { Dispatcher } from './dispatcher.ts'
import { Ending } from './ending.ts'
import { Listener } from './listener.ts'
import { log } from './log.ts'
import { Notifier } from './notifier.ts'
import { Outgoing } from './outgoing.ts'
import { Releaser } from './releaser.ts'
import { Reporter } from './reporter.ts'
import { SEND_TIMEOUT_MS } from './sender.ts'
import { ledgerSettings } from './settings.ts'
import { type Costs, openStore } from './store.ts'
import { nextDeadline } from './sweep.ts'
import { Upkeep } from './upkeep.ts'
import { Waiters } from './waiters.ts'
import { Wake } from './wake.ts'

/** Calls of a tenant that may wait for news at once. */
const MAX_WAITERS = 20

export interface LedgerHooks {
  /** Something may have changed that lets work go on. */
  readonly touch: () => void
  /** The directory has been read. */
  readonly take: (told: Told) => void
  /** A transaction has written something. */
  readonly written: (tally: Tally) => void
}

export type LedgerParts = ReturnType<typeof ledgerParts>

export function ledgerParts(ctx: DurableObjectState, env: GatewayEnv, hooks: LedgerHooks) {
  const ground = groundOf(ctx, env)
  const { db, settings } = ground
  const listener = listenerOf(ground, env, hooks)
  const desk = deskOf(ground, ctx, listener, hooks)
  const { dispatcher, notifier, waker } = sendersOf(ground, env, hooks.touch)
  const releaser = new Releaser({ db, desk, settings, listener, dispatcher, onFreed: hooks.touch })
  const reporter = reporterOf(ground, env, desk)
  return {
    ...ground,
    desk,
    listener,
    notifier,
    waker,
    releaser,
    reporter,
    carrier: new Carrier(db, env.DIRECTORY, reporter),
    upkeep: new Upkeep(desk, db, env.CONTENT, settings.sweepMs),
    ending: endingOf(ground, ctx, env, { desk, reporter }),
  }
}

type Ground = ReturnType<typeof groundOf>

/** What is there whatever the others are like. */
function groundOf(ctx: DurableObjectState, env: GatewayEnv) {
  const costs: Costs = { calls: 0, rowsWritten: 0 }
  return {
    /** Name of the object. */
    name: ctx.id.name ?? '',
    db: openStore(ctx.storage, costs),
    costs,
    settings: ledgerSettings(env),
    wake: new Wake(ctx.storage),
    outgoing: new Outgoing(),
    waiters: new Waiters(MAX_WAITERS, { now: Date.now, later }),
  }
}

function later(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

function listenerOf({ name, settings }: Ground, env: GatewayEnv, { touch, take }: LedgerHooks) {
  const { tenantId, generation } = partsOf(name)
  const ask = async () => take(await readTold(env.DIRECTORY, tenantId, generation))
  return new Listener({ ask, everyMs: settings.listenMs, onInformed: touch })
}

const deskOf = (
  { db, costs, settings }: Ground,
  { storage }: DurableObjectState,
  listener: Listener,
  { written }: LedgerHooks,
) => new Desk({ storage, db, costs, settings, asked: (now) => listener.listen(now), written })

/** What sends references to the queues. */
function sendersOf({ settings }: Ground, env: GatewayEnv, touch: () => void) {
  const parts = { now: Date.now, log, sendTimeoutMs: SEND_TIMEOUT_MS }
  const queues = {
    jobs: env.JOBS,
    'jobs-bulk': env.JOBS_BULK,
    'jobs-slow': env.JOBS_SLOW,
    'jobs-solo': env.JOBS_SOLO,
  }
  return {
    dispatcher: new Dispatcher(queues, parts, settings.sweepMs, touch),
    notifier: new Notifier(env.CALLBACKS, parts, touch),
    waker: new Waker(env.BATCHES, parts, settings.batchGraceMs, touch),
  }
}

const reporterOf = ({ name, db, settings, wake }: Ground, env: GatewayEnv, desk: Desk) =>
  new Reporter({
    db,
    ledger: name,
    everyMs: settings.rollUpMs,
    life: () => desk.life,
    deadline: (now) => wake.nextDeadline(now, () => nextDeadline(db)),
    points: env.FIGURES,
  })

const endingOf = (
  { name, settings }: Ground,
  ctx: DurableObjectState,
  env: GatewayEnv,
  { desk, reporter }: { desk: Desk; reporter: Reporter },
) =>
  new Ending({
    ledger: name,
    storage: ctx.storage,
    bucket: env.CONTENT,
    database: env.DIRECTORY,
    times: settings.deletion,
    hasTables: () => desk.isProvisioned,
    lastSnapshot: (now) => {
      const life = desk.recall()
      return life && reporter.last(life, now)
    },
    abort: (why) => ctx.abort(why),
    newName: () => `${BURIED}${crypto.randomUUID()}`,
  })
