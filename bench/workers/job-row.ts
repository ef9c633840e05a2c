/** The row that both baselines insert: the same payload that the gateway records, and nothing around it. */

export interface JobRow {
  readonly id: string
  readonly kind: string
  readonly input: string
  readonly metadata: string
  readonly createdAt: number
}

export interface JobBody {
  readonly kind: string
  readonly input: unknown
  readonly metadata?: Record<string, string>
}

export interface JobReference {
  readonly job_id: string
}

export const createTable = `create table if not exists jobs (
  id text primary key, kind text not null, status text not null,
  input text not null, metadata text not null, created_at integer not null
)`

export const insertJob =
  "insert into jobs (id, kind, status, input, metadata, created_at) values (?, ?, 'accepted', ?, ?, ?)"

export const rowOf = ({ kind, input, metadata = {} }: JobBody): JobRow => ({
  id: `job_${crypto.randomUUID()}`,
  kind,
  input: JSON.stringify(input),
  metadata: JSON.stringify(metadata),
  createdAt: Date.now(),
})

/** In the order of `insertJob`'s parameters. */
export const valuesOf = ({ id, kind, input, metadata, createdAt }: JobRow) =>
  [id, kind, input, metadata, createdAt] as const
