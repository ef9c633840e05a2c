/** Stalled batches over all tenants, for operators. They lie in the ledgers, which are asked a few at a time and not without end. */

import type { StalledBatch } from '../ledger/batches/decide-batch.ts'
import { openDirectory } from '../ledger/directory/open.ts'
import { busyLedgers } from '../ledger/directory/roll-ups.ts'
import { tenantOf } from '../ledger/directory/tenants.ts'
import { errorName, log } from '../ledger/log.ts'
import { ledgersOf, SIDE_BY_SIDE } from './across-ledgers.ts'
import { callLedger, outOfReach } from './ledgers.ts'
import { Problem } from './problem.ts'

/** Ledgers asked for one page of a list. */
const MAX_LISTED = 50

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
