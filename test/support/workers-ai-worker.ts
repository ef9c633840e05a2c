/**
 * A stand-in for the Workers AI binding: the same method with the binding's own shapes, over RPC. How it misbehaves see
 * `workers-ai-answers.ts` and `workers-ai-batches.ts`. Over HTTP it tells which batches it took.
 */
import { WorkerEntrypoint } from 'cloudflare:workers'
import { type AnyInput, runAi } from './workers-ai-answers.ts'
import { takenBatches } from './workers-ai-batches.ts'

export default class extends WorkerEntrypoint {
  override fetch(): Response {
    return Response.json(takenBatches())
  }

  run(model: string, input: AnyInput, options?: { queueRequest?: boolean }): Promise<unknown> {
    return runAi(model, input, options)
  }
}
