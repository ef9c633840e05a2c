/** Redriving dead letters: one, or many by filter. */
import { createRoute } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { openDeadLetters } from '../../ledger/directory/closing.ts'
import type { DeadLetterRow } from '../../ledger/directory/dead-letters.ts'
import { openDirectory } from '../../ledger/directory/open.ts'
import type { Act } from '../../ledger/directory/operations.ts'
import { MAX_REDRIVES, Redrive, RedriveByFilter, RedriveReport } from '../../openapi/dead-letters.ts'
import { ReasonedAction } from '../../openapi/ops.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { once, onceInSteps } from '../once.ts'
import { Problem, problems } from '../problem.ts'
import { foretell, redrive } from '../redriving.ts'
import { type GatewayContext, newRouter } from '../router.ts'
import { foretold, redriven, redriveView, reportOf } from '../views/redrive.ts'
import { DeadLetterParams, existing } from './dead-letter.ts'
import { json, jsonBody, keyedForOperators, operatorPostProblems } from './shared.ts'

const tags = ['Dead letters']
const write = keyedForOperators('ops:write')

const redriveDeadLetter = createRoute({
  operationId: 'redriveDeadLetter',
  method: 'post',
  path: '/ops/v1/dead_letters/{dead_letter_id}/redrive',
  tags,
  summary: "Run a failed job's work again, as a new job",
  description:
    'The new job has the input, parameters, deadline and owner of the one that failed, and names it in `redrive_of`. The backlog of the tenant does not refuse it; its other limits and its budget hold. A dead letter is redriven once.',
  ...write,
  request: { params: DeadLetterParams, body: jsonBody(ReasonedAction) },
  responses: {
    202: json('The new job has been accepted.', Redrive),
    ...problems(...operatorPostProblems, 'not-found', 'not-redrivable', 'intake-paused'),
  },
})

const redriveDeadLetters = createRoute({
  operationId: 'redriveDeadLetters',
  method: 'post',
  path: '/ops/v1/dead_letters/redrive',
  tags,
  summary: 'Redrive dead letters by filter',
  description:
    'Takes up to `limit` open dead letters, oldest first. One that is refused stays open, says why, and holds up no other; `cursor` goes on behind it. A dry run looks at everything and changes nothing; it takes no notice of an Idempotency-Key.',
  ...write,
  request: { body: jsonBody(RedriveByFilter) },
  responses: {
    200: json('What a redrive would come to (`dry_run`).', RedriveReport),
    202: json('What became of each.', RedriveReport),
    ...problems(...operatorPostProblems, 'idempotency-in-progress'),
  },
})

export const redriveRoutes = newRouter()
  .openapi(redriveDeadLetter, async (c) => {
    const { reason } = c.req.valid('json')
    const letter = await existing(c, c.req.valid('param').dead_letter_id)
    return c.json(await once<Redrive>(c, reason, (actFor) => redriveOne(c, letter, actFor)), 202)
  })
  .openapi(redriveDeadLetters, async (c) => {
    const { dry_run = false, ...asked } = c.req.valid('json')
    return dry_run
      ? c.json(await foretellMany(c, asked), 200)
      : c.json(await onceInSteps(c, () => redriveMany(c, asked)), 202)
  })

async function redriveOne(
  c: Context<GatewayContext>,
  letter: DeadLetterRow,
  actFor: (keep: Redrive) => Act,
): Promise<Redrive> {
  const act = (_: DeadLetterRow, newJobId: string) => actFor(redriveView(letter, newJobId))
  const [verdict] = await redrive(c.env, [letter], act)
  if (!verdict || verdict.problem) throw verdict?.problem ?? new Problem('internal')
  return redriveView(letter, verdict.value)
}

type Asked = Omit<RedriveByFilter, 'dry_run'>

/** The letters that one call looks at, and the cursor behind them. */
async function chosen(
  c: Context<GatewayContext>,
  { reason: _, limit = MAX_REDRIVES, cursor, ...filter }: Asked,
) {
  const scope = ['ops', 'redrive', filter] as const
  const after = await decodeCursor(scope, cursor, { pointer: '/cursor' })
  const rows = await openDeadLetters(openDirectory(c.env.DIRECTORY), filter, after, limit)
  const letters = rows.slice(0, limit)
  const next = rows.length > limit ? await encodeCursor(scope, letters.at(-1)?.id ?? null) : null
  return { letters, next }
}

async function foretellMany(c: Context<GatewayContext>, asked: Asked): Promise<RedriveReport> {
  const { letters, next } = await chosen(c, asked)
  return reportOf(true, (await foretell(c.env, letters)).map(foretold), next)
}

async function redriveMany(c: Context<GatewayContext>, asked: Asked): Promise<RedriveReport> {
  const { letters, next } = await chosen(c, asked)
  const act = { operator: c.var.principal.clientId, reason: asked.reason ?? '', at: Date.now(), kept: null }
  return reportOf(false, (await redrive(c.env, letters, () => act)).map(redriven), next)
}
