/**
 * Batches over all tenants, for operators. They lie in the ledgers, and an ID does not say whose it is: where no tenant is named, the
 * ledgers whose snapshots in the directory say that it may be theirs are asked, a few at a time and not without end.
 */

import type { StalledBatch } from '../ledger/batches/decide-batch.ts'
import type { BatchForOperators } from '../ledger/batches/read-batch.ts'
import { openDirectory } from '../ledger/directory/open.ts'
import { busyLedgers, ledgersActiveSince } from '../ledger/directory/roll-ups.ts'
import { findLedgerName, tenantOf } from '../ledger/directory/tenants.ts'
import { isId, timeOf } from '../ledger/ids.ts'
import { callLedger, outOfReach } from './ledgers.ts'
import { Problem } from './problem.ts'

/** An invocation has six connections. */
const SIDE_BY_SIDE = 5
/** Ledgers asked for one batch. */
const MAX_ASKED = 200
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

/** Throws the problem of a batch that is not there. */
export async function findBatch(env: GatewayEnv, id: string, tenantId: string | undefined): Promise<Found> {
  if (!isId('batch', id)) throw noSuchBatch()
  const ledgers = tenantId === undefined ? await likelyLedgers(env, id) : await ledgersOf(env, tenantId)
  for (let at = 0; at < ledgers.length; at += SIDE_BY_SIDE) {
    const asked = ledgers.slice(at, at + SIDE_BY_SIDE)
    const found = (await Promise.all(asked.map((ledger) => lookIn(env, ledger, id)))).find(Boolean)
    if (found) return found
  }
  throw noSuchBatch()
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
  readonly tenantId: string
  readonly batch: StalledBatch
}

export interface StalledPage {
  readonly stalled: Stalled[]
  /** The last ledger asked, when there may be more behind it. */
  readonly nextAfter: string | null
}

/**
 * Stalled batches, ledger by ledger in the order of their names: as many ledgers as it takes to have `limit`, or as a page may ask.
 * What a ledger tells is never cut, so a page can be longer.
 */
export async function listStalled(
  env: GatewayEnv,
  tenantId: string | undefined,
  after: string | null,
  limit: number,
): Promise<StalledPage> {
  const { ledgers, more } = await ledgersToList(env, tenantId, after)
  const stalled: Stalled[] = []
  for (let at = 0; at < ledgers.length; at += SIDE_BY_SIDE) {
    if (stalled.length >= limit) return { stalled, nextAfter: ledgers[at - 1] ?? null }
    const asked = ledgers.slice(at, at + SIDE_BY_SIDE)
    for (const told of await Promise.all(asked.map((ledger) => stalledIn(env, ledger)))) stalled.push(...told)
  }
  return { stalled, nextAfter: more ? (ledgers.at(-1) ?? null) : null }
}

async function ledgersToList(env: GatewayEnv, tenantId: string | undefined, after: string | null) {
  if (tenantId !== undefined) return { ledgers: await ledgersOf(env, tenantId), more: false }
  const names = await busyLedgers(openDirectory(env.DIRECTORY), after, MAX_LISTED + 1).catch(outOfReach)
  return { ledgers: names.slice(0, MAX_LISTED), more: names.length > MAX_LISTED }
}

async function stalledIn(env: GatewayEnv, ledger: string): Promise<Stalled[]> {
  const told = await callLedger(env, ledger, (stub) => stub.listStalledBatches())
  return told.map((batch) => ({ tenantId: tenantOf(ledger), batch }))
}
