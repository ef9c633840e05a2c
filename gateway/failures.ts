/** The only place that renders a failure. */
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { isOfDirectory } from '../ledger/directory/open.ts'
import { errorName, log } from '../ledger/log.ts'
import { Problem } from './problem.ts'
import type { GatewayContext } from './router.ts'

export async function failed(error: Error, c: Context<GatewayContext>): Promise<Response> {
  const problem = await charged(c, asProblem(error))
  if (problem.code === 'internal' || problem.members.cause) {
    const cause = problem.members.cause ?? error
    log('request.failed', { request_id: c.var.requestId, problem: problem.code, error: errorName(cause) })
  }
  return problem.toResponse(c.var.config.baseUrl, c.var.requestId)
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isOfDirectory(error)) return Problem.unavailable(error)
  if (!(error instanceof HTTPException)) return new Problem('internal', { cause: error })
  if (error.status === 415) return new Problem('unsupported-media-type')
  if (error.status === 413) return new Problem('payload-too-large')
  if (error.status === 400)
    return new Problem('invalid-request', {
      detail: 'The body is not valid JSON.',
      errors: [{ pointer: '', detail: 'Not valid JSON.' }],
    })
  return new Problem('internal', { cause: error })
}

/** A request that was refused before it reached the ledger counts too; if the rate is used up, that comes first. */
async function charged(c: Context<GatewayContext>, problem: Problem): Promise<Problem> {
  if (c.var.rate || !c.var.ledger || problem.code === 'internal') return problem
  try {
    await c.var.ledger((ledger) => ledger.charge())
    return problem
  } catch (refusal) {
    return refusal instanceof Problem ? refusal : problem
  }
}
