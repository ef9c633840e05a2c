/** What the ledger has on record of attempts at receivers. */
import { inLedger } from './control.ts'
import { newTenant, type Tenant } from './tenant.ts'
import { until } from './wait.ts'

/** Bounds a failing spec; an exchange ends after 15 s. */
const WITHIN_MS = 50_000

export interface Attempt {
  readonly status_code: number | null
  readonly error: string | null
  readonly latency_ms: number
  readonly response_excerpt: string | null
  readonly response_truncated: boolean
}

/** The attempts at each endpoint of a tenant that was told one thing, once there are this many at each. */
async function attemptsAt(acme: Tenant, count: number): Promise<Map<string, Attempt[]>> {
  return until(
    `${count} attempts at each endpoint`,
    async () => {
      const rows = await inLedger<{ id: string; attempts: string }>(
        acme.id,
        'select endpoint_id as id, attempts from deliveries',
      )
      const made = rows.map(({ id, attempts }) => [id, JSON.parse(attempts) as Attempt[]] as const)
      return made.length > 0 && made.every(([, attempts]) => attempts.length >= count) && new Map(made)
    },
    WITHIN_MS,
  )
}

/** A tenant that was told one thing, with an endpoint for each of these URLs. */
export async function tellingOf(urls: Record<string, string>) {
  const acme = await newTenant()
  const names = new Map<string, string>()
  for (const [name, url] of Object.entries(urls))
    names.set((await acme.listens({ url }, ['job.accepted'])).id, name)
  await acme.submitted()
  const attempts = async (count: number) => {
    const made = await attemptsAt(acme, count)
    return Object.fromEntries([...names].map(([id, name]) => [name, made.get(id) ?? []]))
  }
  return { acme, attempts }
}

/** The first attempt at each of these URLs, once all are over. */
export async function attempted(urls: Record<string, string>): Promise<Record<string, Attempt>> {
  const made = await (await tellingOf(urls)).attempts(1)
  return Object.fromEntries(
    Object.entries(made).flatMap(([name, [first]]) => (first ? [[name, first] as const] : [])),
  )
}

/** What an attempt came to, with the receiver's status where there was one. */
export const outcomesOf = (attempts: Record<string, Attempt>) =>
  Object.fromEntries(
    Object.entries(attempts).map(([name, { status_code, error }]) => [name, [status_code, error]]),
  )
