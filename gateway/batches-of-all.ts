/**
 * Batches over all tenants, for operators. They lie in the ledgers, and an ID does not say whose it is: where no tenant is named, the
 * ledgers whose snapshots in the directory say that it may be theirs are asked, a few at a time and not without end.
 */

import type { StalledBatch } from '../ledger/batches/decide-batch.ts'
import type { BatchForOperators } from '../ledger/batches/for-operators.ts'
import { openDirectory } from '../ledger/directory/open.ts'
import { busyLedgers, ledgersActiveSince } from '../ledger/directory/roll-ups.ts'
import { findLedgerName, tenantOf } from '../ledger/directory/tenants.ts'
import { isId, timeOf } from '../ledger/ids.ts'
import { errorName, log } from '../ledger/log.ts'
import { callLedger, outOfReach } from './ledgers.ts'
import { Problem } from './problem.ts'

/** An invocation has six connections. */
const SIDE_BY_SIDE = 5
/** Ledgers asked for one batch: an invocation may make a thousand calls. */
const MAX_ASKED = 900
/** Ledgers asked for one page of a list. */
const MAX_LISTED = 50
/** A ledger writes its snapshot at most once a minute: the one at hand may be older than what is looked for. */
const SNAPSHOT_AGE_MS = 120_000

export interface Found {
  /** Name of the ledger. */
  readonly ledger: string
  readonly tenantId: string
  readonly found: BatchForOperators
}

/** Throws the problem of a batch that is not there; of one that may lie in a ledger that did not answer, that of the ledger. */
export async function findBatch(env: GatewayEnv, id: string, tenantId: string | undefined): Promise<Found> {
  if (!isId('batch', id)) throw noSuchBatch()
  const ledgers = tenantId === undefined ? await likelyLedgers(env, id) : await ledgersOf(env, tenantId)
  const silent: PromiseRejectedResult[] = []
  for (let at = 0; at < ledgers.length; at += SIDE_BY_SIDE) {
    const asked = ledgers.slice(at, at + SIDE_BY_SIDE)
    const answers = await Promise.allSettled(asked.map((ledger) => lookIn(env, ledger, id)))
    const found = answers.find((answer) => answer.status === 'fulfilled' && answer.value !== null)
    if (found?.status === 'fulfilled' && found.value) return found.value
    silent.push(...answers.filter((answer) => answer.status === 'rejected'))
  }
  throw silent[0]?.reason ?? noSuchBatch()
}

const noSuchBatch = () => new Problem('not-found', { detail: 'There is no such batch.' })

const likelyLedgers = (env: GatewayEnv, id: string) =>
  ledgersActiveSince(openDirectory(env.DIRECTORY), timeOf(id) - SNAPSHOT_AGE_MS, MAX_ASKED).catch(outOfReach)

async function ledgersOf(env: GatewayEnv, tenantId: string): Promise<string[]> {
  const name = await findLedgerName(env.DIRECTORY, tenantId, Date.now()).catch(outOfReach)
  return name === null ? [] : [name]
}

async function lookIn(env: GatewayEnv, ledger: string, id: string): Promise<Found | null> {
  const found = await callLedger(env, ledger, (stub) => stub.readBatchForOperators(id))
  return found && { ledger, tenantId: tenantOf(ledger), found }
}

export interface Stalled {
  readonly ledger: string
  readonly tenantId: string
  readonly stalled: StalledBatch
}

/** A place in the list: behind this batch of the ledger, or, with null, behind all of its. */
export interface StalledPosition {
  readonly ledger: string
  readonly batchId: string | null
}

export interface StalledPage {
  readonly stalled: Stalled[]
  /** Tenants whose ledgers did not answer: what they have is not among these. */
  readonly unreachable: string[]
  /** Where the next page begins; null when there is none. */
  readonly nextAfter: StalledPosition | null
}

/** Stalled batches, ledger by ledger in the order of their names, each newest first. A page asks only so many ledgers: it may be short. */
export async function listStalled(
  env: GatewayEnv,
  tenantId: string | undefined,
  after: StalledPosition | null,
  limit: number,
): Promise<StalledPage> {
  const { ledgers, more } = await ledgersToList(env, tenantId, after)
  const [stalled, unreachable]: [Stalled[], string[]] = [[], []]
  for (let at = 0; at < ledgers.length && stalled.length <= limit; at += SIDE_BY_SIDE) {
    const asked = ledgers.slice(at, at + SIDE_BY_SIDE)
    const answers = await Promise.all(asked.map((ledger) => stalledIn(env, ledger)))
    stalled.push(...answers.flatMap((told) => told ?? []).filter((one) => isBehind(one, after)))
    unreachable.push(...asked.filter((_, nth) => answers[nth] === null).map(tenantOf))
  }
  const shown = stalled.slice(0, limit)
  const end = more ? positionBehind(ledgers.at(-1)) : null
  return { stalled: shown, unreachable, nextAfter: stalled.length > limit ? positionOf(shown.at(-1)) : end }
}

const isBehind = ({ ledger, stalled }: Stalled, after: StalledPosition | null) =>
  ledger !== after?.ledger || after.batchId === null || stalled.batch.id < after.batchId

const positionOf = (last: Stalled | undefined) =>
  last ? { ledger: last.ledger, batchId: last.stalled.batch.id } : null
const positionBehind = (ledger: string | undefined) => (ledger ? { ledger, batchId: null } : null)

async function ledgersToList(env: GatewayEnv, tenantId: string | undefined, after: StalledPosition | null) {
  if (tenantId !== undefined) return { ledgers: await ledgersOf(env, tenantId), more: false }
  const from = after?.ledger ?? null
  const names = await busyLedgers(openDirectory(env.DIRECTORY), from, MAX_LISTED + 1).catch(outOfReach)
  const begun = from !== null && after?.batchId ? [from] : []
  return { ledgers: [...begun, ...names.slice(0, MAX_LISTED)], more: names.length > MAX_LISTED }
}

/** Null when the ledger does not answer: one in trouble must not hide the others. */
async function stalledIn(env: GatewayEnv, ledger: string): Promise<Stalled[] | null> {
  try {
    const told = await callLedger(env, ledger, (stub) => stub.listStalledBatches())
    const newestFirst = told.toSorted((a, b) => (a.batch.id < b.batch.id ? 1 : -1))
    return newestFirst.map((stalled) => ({ ledger, tenantId: tenantOf(ledger), stalled }))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    log('batches.ledger_unreachable', { ledger, error: errorName(error.members.cause) })
    return null
  }
}
