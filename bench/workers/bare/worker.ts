/** Baseline (a): what one writes first. Hono, one row in a Durable Object, an awaited queue send, 202. */
import { DurableObject } from 'cloudflare:workers'
import { Hono } from 'hono'
import {
  createTable,
  insertJob,
  type JobBody,
  type JobReference,
  type JobRow,
  rowOf,
  valuesOf,
} from '../job-row.ts'

interface Env {
  STORES: DurableObjectNamespace<JobStore>
  QUEUE: Queue<JobReference>
}

export class JobStore extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.storage.sql.exec(createTable)
  }

  insert(job: JobRow): void {
    this.ctx.storage.sql.exec(insertJob, ...valuesOf(job))
  }
}

const app = new Hono<{ Bindings: Env }>()

app.post('/v1/jobs', async (c) => {
  const job = rowOf(await c.req.json<JobBody>())
  await c.env.STORES.getByName('bench').insert(job)
  await c.env.QUEUE.send({ job_id: job.id })
  return c.json({ id: job.id, status: 'accepted' }, 202)
})

export default {
  fetch: app.fetch,
  async queue(batch) {
    batch.ackAll()
  },
} satisfies ExportedHandler<Env>
