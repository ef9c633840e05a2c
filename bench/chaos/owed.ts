/** What is left to be done, as the ledgers' tables have it. */
import type { Workerd } from '../support/workerd.ts'
import type { JobRow } from './evidence.ts'
import { inLedger } from './ledgers.ts'

/** What a ledger still owes: unfinished jobs and batches, deliveries, bookings, dead letters and snapshots that are not in the directory yet. */
export interface Owed {
  readonly jobs: number
  readonly batches: number
  readonly deliveries: number
  readonly bookings: number
  readonly letters: number
  /** Days of which the directory does not have all, and work that it takes for open. */
  readonly snapshots: number
}

export async function owedBy(workerd: Workerd, tenantId: string): Promise<Owed> {
  const [owed] = await inLedger<Owed>(
    workerd,
    tenantId,
    `select (select count(*) from jobs where due_at is not null) as jobs,
      (select count(*) from batches where due_at is not null) as batches,
      (select count(*) from deliveries where due_at is not null) as deliveries,
      (select count(*) from jobs where book_by is not null) as bookings,
      (select count(*) from dead_letter_outbox) as letters,
      (select count(*) from (select day, sum(changes) as changes from usage_days group by day)
        where changes is not (select value ->> ('$.days.' || day) from meta where name = 'reported'))
        + coalesce((select value ->> '$.openWork' from meta where name = 'reported'), 0) as snapshots`,
  )
  return owed as Owed
}

/** Unfinished jobs, each with where it stands. */
export async function openJobs(workerd: Workerd, tenantId: string): Promise<string[]> {
  const rows = await inLedger<JobRow>(workerd, tenantId, `select * from jobs where due_at is not null`)
  const now = Date.now()
  return rows.map(
    ({ id, model, status, due_at, attempt, lost_leases, failures }) =>
      `${id} of ${tenantId} (${model}) is ${status}, due in ${(due_at ?? now) - now} ms after ${attempt} claims, ` +
      `${lost_leases} lost leases and ${failures}`,
  )
}

interface OpenBatch {
  readonly id: string
  readonly model: string
  readonly status: string
  readonly planned: 0 | 1
  readonly due_at: number | null
  readonly chunks: string | null
}

/** Batches that are still worked for, each with where it stands. */
export async function openBatches(workerd: Workerd, tenantId: string): Promise<string[]> {
  const rows = await inLedger<OpenBatch>(
    workerd,
    tenantId,
    `select id, model, status, planned, due_at,
      (select group_concat(state || ' ' || path || ' ' || statuses) from batch_chunks where batch_id = id) as chunks
      from batches where due_at is not null`,
  )
  return rows.map(
    ({ id, model, status, planned, due_at, chunks }) =>
      `${id} of ${tenantId} (${model}) is ${status}, planned ${planned}, due in ${(due_at ?? 0) - Date.now()} ms: ${chunks}`,
  )
}
