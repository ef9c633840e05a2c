/** What is tried when all is over: every key once more, every result, and whether each tenant's next job still runs. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Customer } from './customer.ts'
import type { Evidence, JobRow } from './evidence.ts'

const SIDE_BY_SIDE = 16
const POLL_MS = 50

export async function eachOf<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const left = [...items]
  const worker = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await act(item)
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker))
}

/** Keys that are answered with anything but their first answer. */
export async function replayAll(customers: readonly Customer[]): Promise<string[]> {
  const wrong: string[] = []
  const all = customers.flatMap((customer) =>
    Array.from(customer.accepted.values(), (job) => ({ customer, job })),
  )
  await eachOf(all, async ({ customer, job }) => {
    const why = await customer.replay(job)
    if (why) wrong.push(why)
  })
  for (const { batches } of customers)
    for (const [key, batch] of batches.accepted) {
      const why = await batches.replay(key, batch)
      if (why) wrong.push(why)
    }
  return wrong
}

/** Jobs that succeeded without a readable result, or have one without having succeeded or after they were deleted. */
export async function readResults(evidence: readonly Evidence[]): Promise<string[]> {
  const wrong: string[] = []
  const all = evidence.flatMap(({ customer, rows }) => rows.map((row) => ({ customer, row })))
  await eachOf(all, async ({ customer: { caller }, row }) => {
    const headers = { Authorization: caller.authorization }
    const response = await fetch(new URL(`/v1/jobs/${row.id}/result`, caller.url), { headers })
    const { output } = (await response.json()) as { output?: object }
    const right = response.status === resultStatus(row) && (response.status !== 200 || output)
    if (!right) wrong.push(`${row.id} (${row.status}): its result is answered with ${response.status}`)
  })
  return wrong
}

const resultStatus = ({ status, content_deleted_at }: JobRow) =>
  content_deleted_at !== null ? 410 : status === 'succeeded' ? 200 : 409

/** Seconds that one more job of each tenant takes to its end; the bound for one that does not end. */
export async function nextJobs(customers: readonly Customer[], boundMs: number): Promise<number[]> {
  return Promise.all(customers.map((customer) => nextJob(customer, boundMs)))
}

async function nextJob({ caller }: Customer, boundMs: number): Promise<number> {
  const startedAt = Date.now()
  const body = { kind: 'summarize', input: { text: 'One more sentence. And another one.' } }
  const { id } = await caller.post<{ id: string }>('/v1/jobs', body)
  while (Date.now() - startedAt < boundMs) {
    const { status } = await caller.get<{ status: string }>(`/v1/jobs/${id}`)
    if (status === 'succeeded') break
    await sleep(POLL_MS)
  }
  return (Date.now() - startedAt) / 1000
}
