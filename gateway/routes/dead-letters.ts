/** Dead letters, as operators work through them: list, read, resolve. Redriving is in `redrives.ts`. */
import { createRoute } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { markResolved } from '../../ledger/directory/closing.ts'
import { type DeadLetterRow, listDeadLetters } from '../../ledger/directory/dead-letters.ts'
import { openDirectory } from '../../ledger/directory/open.ts'
import type { Act } from '../../ledger/directory/operations.ts'
import { DeadLetter, DeadLetterPage, DeadLetterQuery } from '../../openapi/dead-letters.ts'
import { ReasonedAction } from '../../openapi/ops.ts'
import { forOperators } from '../auth/authenticate.ts'
import { directoryPage } from '../directory-page.ts'
import { once } from '../once.ts'
import { Problem, problems } from '../problem.ts'
import { type GatewayContext, newRouter } from '../router.ts'
import { deadLetterView } from '../views/dead-letter.ts'
import { DeadLetterParams, existing } from './dead-letter.ts'
import { json, jsonBody, keyedForOperators, operatorPostProblems, operatorProblems } from './shared.ts'

const tags = ['Dead letters']
const read = forOperators('ops:read')
const write = keyedForOperators('ops:write')

const listDeadLettersRoute = createRoute({
  operationId: 'listDeadLetters',
  method: 'get',
  path: '/ops/v1/dead_letters',
  tags,
  summary: 'List dead letters, newest first',
  description: 'All, or those that the filters leave. They are kept for a year.',
  ...read,
  request: { query: DeadLetterQuery },
  responses: {
    200: json('A page of dead letters.', DeadLetterPage),
    ...problems(...operatorProblems),
  },
})

const getDeadLetterRoute = createRoute({
  operationId: 'getDeadLetter',
  method: 'get',
  path: '/ops/v1/dead_letters/{dead_letter_id}',
  tags,
  summary: 'Read a dead letter',
  description: 'What failed, whether a redrive may help, and what became of it. Never the content.',
  ...read,
  request: { params: DeadLetterParams },
  responses: { 200: json('The dead letter.', DeadLetter), ...problems(...operatorProblems, 'not-found') },
})

const resolveDeadLetter = createRoute({
  operationId: 'resolveDeadLetter',
  method: 'post',
  path: '/ops/v1/dead_letters/{dead_letter_id}/resolve',
  tags,
  summary: 'Close a dead letter without running anything',
  description:
    'For one that needs nothing more, or that was mended otherwise. It cannot be redriven afterwards.',
  ...write,
  request: { params: DeadLetterParams, body: jsonBody(ReasonedAction) },
  responses: {
    200: json('The resolved dead letter.', DeadLetter),
    ...problems(...operatorPostProblems, 'not-found', 'dead-letter-settled'),
  },
})

export const deadLetterRoutes = newRouter()
  .openapi(listDeadLettersRoute, async (c) => {
    const { cursor, limit, ...query } = c.req.valid('query')
    const list = (after: string | null, size: number) =>
      listDeadLetters(openDirectory(c.env.DIRECTORY), query, after, size)
    const view = (row: DeadLetterRow) => deadLetterView(row, Date.now())
    return c.json(await directoryPage(['ops', 'dead_letters', query], { cursor, limit }, list, view), 200)
  })
  .openapi(getDeadLetterRoute, async (c) => {
    const row = await existing(c, c.req.valid('param').dead_letter_id)
    return c.json(deadLetterView(row, Date.now()), 200)
  })
  .openapi(resolveDeadLetter, async (c) => {
    const { reason } = c.req.valid('json')
    const letter = await existing(c, c.req.valid('param').dead_letter_id)
    return c.json(await once<DeadLetter>(c, reason, (actFor) => resolve(c, letter, actFor)), 200)
  })

async function resolve(
  c: Context<GatewayContext>,
  letter: DeadLetterRow,
  actFor: (keep: DeadLetter) => Act,
): Promise<DeadLetter> {
  const resolved = deadLetterView({ ...letter, status: 'resolved' }, Date.now())
  if (letter.status !== 'open') throw settled(letter)
  try {
    await markResolved(openDirectory(c.env.DIRECTORY), letter.id, actFor(resolved))
    return resolved
  } catch (error) {
    const now = await existing(c, letter.id)
    throw now.status === 'open' ? error : settled(now)
  }
}

const settled = ({ status }: DeadLetterRow) =>
  new Problem('dead-letter-settled', { detail: `The dead letter is not open; its status is ${status}.` })
