/** The output of a job from where it lies. */
import type { Context } from 'hono'
import type { GatewayContext } from '../router.ts'

/** The job with its output as JSON text; throws the problem of one that has none. */
export async function readOutput(c: Context<GatewayContext>, id: string) {
  const { job, output } = await c.var.ledger((ledger) => ledger.readResult(id))
  const text = output ?? (await largeOutput(c, job.outputRef))
  if (text !== null) return { job, text }
  // Deleted in between, and the ledger says so now; else it is a fault of ours.
  await c.var.ledger((ledger) => ledger.readResult(id))
  throw new Error('The output of a succeeded job is missing.')
}

async function largeOutput(c: Context<GatewayContext>, ref: string | null): Promise<string | null> {
  const object = ref && (await c.env.CONTENT.get(ref))
  return object ? object.text() : null
}
