/** What operators are told of all tenants together: metrics, as text over HTTP, their usage, and the dead letters. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { DeadLetter } from '../../openapi/dead-letters.ts'
import type { OperatorUsageReport } from '../../openapi/operator-usage.ts'
import type { Sample } from '../../test/support/openmetrics.ts'
import { byPackage, bySpecification, inOrder } from '../../test/support/openmetrics-readers.ts'
import type { Caller } from '../support/gateway.ts'

/** Longer than the pause between two snapshots of a ledger, so that what came meanwhile would be told. */
const REST_MS = 4000
const REST_BOUND_MS = 60_000

export interface Scraped {
  readonly samples: readonly Sample[]
  /** What the strict reader has against the text, or how the other one reads it otherwise. */
  readonly faults: readonly string[]
  readonly byKind: OperatorUsageReport
  readonly byModel: OperatorUsageReport
  readonly letters: readonly DeadLetter[]
}

export async function scraped(operator: Caller): Promise<Scraped> {
  const text = await textOf(operator)
  return {
    samples: byPackage(text),
    faults: faultsOf(text),
    byKind: await operator.get<OperatorUsageReport>('/ops/v1/usage?group_by=kind'),
    byModel: await operator.get<OperatorUsageReport>('/ops/v1/usage?group_by=model'),
    letters: await lettersOf(operator),
  }
}

/** Waits until no counter grows any more, or the time is up. */
export async function atRest(operator: Caller): Promise<void> {
  const counters = async () => inOrder(byPackage(await textOf(operator)).filter(isCount)).join('\n')
  let last = await counters()
  for (const until = Date.now() + REST_BOUND_MS; Date.now() < until; ) {
    await sleep(REST_MS)
    const now = await counters()
    if (now === last) return
    last = now
  }
}

const isCount = ({ name }: Sample) => /_(total|count)$/.test(name)

async function textOf({ url, authorization }: Caller): Promise<string> {
  const response = await fetch(new URL('/ops/v1/metrics', url), { headers: { Authorization: authorization } })
  if (!response.ok) throw new Error(`The metrics are answered with ${response.status}.`)
  return response.text()
}

function faultsOf(text: string): string[] {
  try {
    const [strict, other] = [inOrder(bySpecification(text)), inOrder(byPackage(text))]
    const onlyHere = strict.filter((one) => !other.includes(one))
    const onlyThere = other.filter((one) => !strict.includes(one))
    return [...onlyHere, ...onlyThere].map((one) => `read by one reader only: ${one}`)
  } catch (error) {
    return [String(error)]
  }
}

interface Page {
  readonly data: DeadLetter[]
  readonly next_cursor: string | null
}

async function lettersOf(operator: Caller): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = []
  let cursor: string | null = null
  do {
    const path: string = `/ops/v1/dead_letters?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`
    const page: Page = await operator.get<Page>(path)
    letters.push(...page.data)
    cursor = page.next_cursor
  } while (cursor)
  return letters
}
