/** Dead letters, as operators work through them. */
import { createRoute, z } from '@hono/zod-openapi'
import { type DeadLetterRow, findDeadLetter, listDeadLetters } from '../../ledger/directory/dead-letters.ts'
import { openDirectory } from '../../ledger/directory/open.ts'
import { nullableTimestamp, timestamp } from '../../ledger/wire.ts'
import { DEFAULT_LIMIT } from '../../openapi/common.ts'
import { DeadLetter, DeadLetterPage, DeadLetterQuery } from '../../openapi/ops.ts'
import { forOperators } from '../auth/authenticate.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { Problem, problems } from '../problem.ts'
import { newRouter } from '../router.ts'
import { json, operatorProblems } from './shared.ts'

const tags = ['Dead letters']
const read = forOperators('ops:read')

const listDeadLettersRoute = createRoute({
  operationId: 'listDeadLetters',
  method: 'get',
  path: '/ops/v1/dead_letters',
  tags,
  summary: 'List dead letters, newest first',
  ...read,
  request: { query: DeadLetterQuery },
  responses: {
    200: json('A page of dead letters.', DeadLetterPage),
    ...problems(...operatorProblems, 'invalid-request'),
  },
})

const getDeadLetterRoute = createRoute({
  operationId: 'getDeadLetter',
  method: 'get',
  path: '/ops/v1/dead_letters/{dead_letter_id}',
  tags,
  summary: 'Read a dead letter',
  ...read,
  request: { params: z.object({ dead_letter_id: z.string() }) },
  responses: { 200: json('The dead letter.', DeadLetter), ...problems(...operatorProblems, 'not-found') },
})

export const deadLetterRoutes = newRouter()
  .openapi(listDeadLettersRoute, async (c) => {
    const { cursor, limit, ...query } = c.req.valid('query')
    const scope = ['ops', 'dead_letters', query] as const
    const after = await decodeCursor(scope, cursor)
    const size = Number(limit ?? DEFAULT_LIMIT)
    const rows = await listDeadLetters(openDirectory(c.env.DIRECTORY), query, after, size)
    const data = rows.slice(0, size).map(deadLetterView)
    const next_cursor = rows.length > size ? await encodeCursor(scope, data.at(-1)?.id ?? null) : null
    return c.json({ data, has_more: next_cursor !== null, next_cursor }, 200)
  })
  .openapi(getDeadLetterRoute, async (c) => {
    const row = await findDeadLetter(openDirectory(c.env.DIRECTORY), c.req.valid('param').dead_letter_id)
    if (!row) throw new Problem('not-found', { detail: 'There is no such dead letter.' })
    return c.json(deadLetterView(row), 200)
  })

const deadLetterView = (row: DeadLetterRow): DeadLetter =>
  DeadLetter.parse({
    id: row.id,
    object: 'dead_letter',
    queue: row.queue,
    tenant_id: row.tenantId,
    job_id: row.jobId,
    batch_id: row.batchId,
    delivery_id: row.deliveryId,
    schema_version: row.schemaVersion,
    class: row.class,
    attempts: row.attempts,
    message_sha256: row.messageSha256,
    status: row.status,
    redrivable: row.redrivable,
    redrive_reason: row.redriveReason,
    redrive_conditions: row.redriveConditions,
    created_at: timestamp(row.createdAt),
    review_by: timestamp(row.reviewBy),
    redriven_by: row.redrivenBy,
    redriven_at: nullableTimestamp(row.redrivenAt),
    redrive_note: row.redriveNote,
    new_job_id: row.newJobId,
  })
