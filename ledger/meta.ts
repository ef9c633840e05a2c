/** Single values of a ledger: its standing, the orders it knows, its rate windows. Parsed on the way out like any other storage. */
import { z } from '@hono/zod-openapi'
import { eq } from 'drizzle-orm'
import { Sample } from './alerts/window.ts'
import { Figures } from './figures.ts'
import { jobQueues } from './lanes.ts'
import { Orders } from './orders.ts'
import { meta } from './schema.ts'
import { arg, type Db, statement } from './store.ts'
import { TenantStanding } from './tenant-standing.ts'

const WindowStateSchema = z.object({
  at: z.number(),
  buckets: z.array(z.number()).readonly(),
  step: z.number(),
})

export const metaSchemas = {
  standing: TenantStanding,
  orders: Orders,
  requestWindow: WindowStateSchema,
  startWindow: WindowStateSchema,
  marks: z.record(
    z.string(),
    z.object({ at: z.number(), lookAt: z.number(), tries: z.int(), queue: z.enum(jobQueues) }),
  ),
  /** When to drop rows that are too old, and up to which idempotency key the present round has come. */
  housekeeping: z.object({ at: z.number(), keysAfter: z.string() }),
  /** When to look for input and files that nothing refers to, until when more is expected, and up to which key it was done. */
  looseContent: z.object({
    at: z.number().nullable(),
    last: z.number(),
    after: z.object({ in: z.string(), file: z.string() }),
  }),
  /** When to look for outputs that nothing refers to, and up to which key the present round has come. */
  strayOutputs: z.object({ at: z.number(), after: z.string() }),
  webhookFigures: Figures.shape.webhooks,
  /** What the work of all days up to `through` came to. */
  pastWork: z.object({ through: z.int(), work: Figures.shape.work }),
  /** The last snapshot that the directory is known to have. */
  reported: z.object({
    at: z.number(),
    revision: z.number(),
    openWork: z.int(),
    attempts: z.int(),
    days: z.record(z.string(), z.int()),
  }),
  /** Of the operators' ledger: what counters of the whole service were. */
  alertSamples: z.array(Sample),
} satisfies Record<string, z.ZodType>

type MetaName = keyof typeof metaSchemas
type MetaValue<N extends MetaName> = z.output<(typeof metaSchemas)[N]>

const selectMeta = statement((db) =>
  db
    .select()
    .from(meta)
    .where(eq(meta.name, arg('name')))
    .prepare(),
)

export function readMeta<N extends MetaName>(db: Db, name: N): MetaValue<N> | null {
  const row = selectMeta(db).get({ name })
  return row ? (metaSchemas[name].parse(JSON.parse(row.value)) as MetaValue<N>) : null
}

export function writeMeta<N extends MetaName>(db: Db, name: N, value: MetaValue<N>): void {
  const text = JSON.stringify(value)
  db.insert(meta)
    .values({ name, value: text })
    .onConflictDoUpdate({ target: meta.name, set: { value: text } })
    .run()
}

export function forgetMeta(db: Db, name: MetaName): void {
  db.delete(meta).where(eq(meta.name, name)).run()
}
