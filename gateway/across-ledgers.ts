/**
 * Finding a tenant's job or batch for operators. They lie in the ledgers, and an ID does not say whose it is: where no tenant is named,
 * the ledgers whose snapshots in the directory say that it may be theirs are asked, a few at a time and not without end.
 */
import type { LedgerStub } from '../ledger/call.ts'
import { openDirectory } from '../ledger/directory/open.ts'
import { ledgersActiveSince } from '../ledger/directory/roll-ups.ts'
import { findLedgerName, tenantOf } from '../ledger/directory/tenants.ts'
import { isId, timeOf } from '../ledger/ids.ts'
import { callLedger, outOfReach } from './ledgers.ts'
import { Problem } from './problem.ts'

/** An invocation has six connections. */
export const SIDE_BY_SIDE = 5
/** Ledgers asked for one thing: an invocation may make a thousand calls. */
const MAX_ASKED = 900
/** A ledger writes its snapshot at most once a minute: the one at hand may be older than what is looked for. */
const SNAPSHOT_AGE_MS = 120_000

export interface Found<T> {
  /** Name of the ledger. */
  readonly ledger: string
  readonly tenantId: string
  readonly found: T
}

interface Wanted<T> {
  readonly noun: 'job' | 'batch'
  readonly id: string
  /** Whose it is, if that is known. */
  readonly tenantId: string | undefined
  /** Asks one ledger; null where it is not there. */
  readonly read: (ledger: LedgerStub) => Promise<T | null>
}

/** Throws the problem of what is not there; of what may lie in a ledger that did not answer, that of the ledger. */
export async function findAcross<T>(env: GatewayEnv, wanted: Wanted<T>): Promise<Found<T>> {
  const { noun, id, tenantId } = wanted
  const absent = () => new Problem('not-found', { detail: `There is no such ${noun}.` })
  if (!isId(noun, id)) throw absent()
  const ledgers = tenantId === undefined ? await likelyLedgers(env, id) : await ledgersOf(env, tenantId)
  const silent: PromiseRejectedResult[] = []
  for (let at = 0; at < ledgers.length; at += SIDE_BY_SIDE) {
    const asked = ledgers.slice(at, at + SIDE_BY_SIDE)
    const answers = await Promise.allSettled(asked.map((ledger) => lookIn(env, ledger, wanted)))
    const found = answers.find((answer) => answer.status === 'fulfilled' && answer.value !== null)
    if (found?.status === 'fulfilled' && found.value) return found.value
    silent.push(...answers.filter((answer) => answer.status === 'rejected'))
  }
  throw silent[0]?.reason ?? absent()
}

const likelyLedgers = (env: GatewayEnv, id: string) =>
  ledgersActiveSince(openDirectory(env.DIRECTORY), timeOf(id) - SNAPSHOT_AGE_MS, MAX_ASKED).catch(outOfReach)

/** Of a tenant that the directory does not know there is none. */
export async function ledgersOf(env: GatewayEnv, tenantId: string): Promise<string[]> {
  const name = await findLedgerName(env.DIRECTORY, tenantId, Date.now()).catch(outOfReach)
  return name === null ? [] : [name]
}

async function lookIn<T>(env: GatewayEnv, ledger: string, { read }: Wanted<T>): Promise<Found<T> | null> {
  const found = await callLedger(env, ledger, read)
  return found && { ledger, tenantId: tenantOf(ledger), found }
}
