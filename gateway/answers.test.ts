import { createRoute, z } from '@hono/zod-openapi'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { newRouter } from './router.ts'

const Thing = z.object({
  id: z.string(),
  note: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
})
const fitting = { id: 'thing_1', note: null, metadata: { order: '4711' } }

const getThing = createRoute({
  operationId: 'getThing',
  method: 'get',
  path: '/thing',
  responses: {
    200: { description: 'The thing.', content: { 'application/json': { schema: Thing } } },
    204: { description: 'No thing.' },
    206: { description: 'Lines.', content: { 'application/x-ndjson': { schema: Thing } } },
  },
})

/** The status and body of an answer, and the name of the fault where it is one. */
async function answered(
  answer: Response | ((json: (body: unknown, status?: number) => Response) => Response),
) {
  const router = newRouter()
  router.openapi(getThing, (c) => (answer instanceof Response ? answer : answer(c.json as never)) as never)
  router.onError((error, c) => c.text(error.name, 500))
  const response = await router.request('/thing')
  return [response.status, await response.text()]
}

const fault = [500, 'UnfitAnswer']

describe('an answer', () => {
  let lines: string[]
  beforeEach(() => {
    lines = []
    vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('goes out as its schema parses it: nothing else leaves', async () => {
    const [status, body] = await answered((json) => json({ ...fitting, secret: 'whsec_x' }, 200))

    expect([status, JSON.parse(String(body))]).toEqual([200, fitting])
    expect(lines).toEqual([])
  })

  it('that does not fit is a fault, told by its places and without a value', async () => {
    const unfit = { id: 4711, note: 'a secret', metadata: { Alice: 815 } }

    expect(await answered((json) => json(unfit, 200))).toEqual(fault)
    const [line = ''] = lines
    expect(JSON.parse(line)).toMatchObject({
      event: 'answer.unfit',
      operation_id: 'getThing',
      status: 200,
      places: '/id: Must be of type string. /metadata/*: Must be of type string.',
    })
    expect(line).not.toMatch(/4711|815|secret|Alice/)
  })

  it.each<[string, Parameters<typeof answered>[0]]>([
    ['of a status that is not declared', (json) => json(fitting, 201)],
    ['of no status', (json) => json(fitting)],
    ['of a status that has no body', (json) => json(fitting, 204)],
    ['in JSON where lines are declared', (json) => json(fitting, 206)],
    ['of another type', new Response('thing_1', { headers: { 'Content-Type': 'text/plain' } })],
    ['that went by the gate', Response.json(fitting)],
    ['that is none', new Response(null, { status: 304 })],
  ])('%s is a fault', async (_, answer) => {
    expect(await answered(answer)).toEqual(fault)
    expect(lines).toHaveLength(1)
  })

  it('without a body, or in lines, goes out where it is declared', async () => {
    const ndjson = new Response('{}\n', { status: 206, headers: { 'Content-Type': 'application/x-ndjson' } })

    expect(await answered(new Response(null, { status: 204 }))).toEqual([204, ''])
    expect(await answered(ndjson)).toEqual([206, '{}\n'])
  })
})
