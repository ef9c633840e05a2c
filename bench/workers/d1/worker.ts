/** Baseline (b): the same with D1. Hono, one row, an awaited queue send, 202. */
import { Hono } from 'hono'
import { insertJob, type JobBody, type JobReference, rowOf, valuesOf } from '../job-row.ts'

interface Env {
  DB: D1Database
  QUEUE: Queue<JobReference>
}

const app = new Hono<{ Bindings: Env }>()

app.post('/v1/jobs', async (c) => {
  const job = rowOf(await c.req.json<JobBody>())
  await c.env.DB.prepare(insertJob)
    .bind(...valuesOf(job))
    .run()
  await c.env.QUEUE.send({ job_id: job.id })
  return c.json({ id: job.id, status: 'accepted' }, 202)
})

export default {
  fetch: app.fetch,
  async queue(batch) {
    batch.ackAll()
  },
} satisfies ExportedHandler<Env>
