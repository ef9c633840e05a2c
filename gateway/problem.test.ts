import { describe, expect, it } from 'vitest'
import { Problem as ProblemSchema } from '../openapi/common.ts'
import { problemCatalog, problemCodes } from '../openapi/problems.ts'
import { Problem } from './problem.ts'

describe('a problem', () => {
  it('is answered by RFC 9457, with its own headers', async () => {
    const problem = new Problem('rate-limited', { headers: { 'Retry-After': '7' } })
    const response = problem.toResponse('https://api.gateway.dev', 'request-1')

    expect([response.status, response.headers.get('Retry-After')]).toEqual([429, '7'])
    expect(response.headers.get('Content-Type')).toBe('application/problem+json')
    expect(await response.json()).toEqual({
      type: 'https://api.gateway.dev/problems/rate-limited',
      title: 'Too many requests.',
      status: 429,
      detail: 'Too many requests.',
      instance: '/requests/request-1',
      request_id: 'request-1',
    })
  })

  it('shows 100 errors and counts all', async () => {
    const errors = Array.from({ length: 150 }, (_, at) => ({ pointer: `/${at}`, detail: 'Required.' }))
    const response = new Problem('invalid-request', { errors }).toResponse('https://api.gateway.dev', 'r')

    const body = (await response.json()) as { errors: unknown[]; error_count: number }

    expect(body.errors).toEqual(errors.slice(0, 100))
    expect(body.error_count).toBe(150)
  })

  it.each(problemCodes)('%s is answered as the document shows it', async (code) => {
    const errors = [
      { pointer: '/input/text', detail: 'Required.' },
      { parameter: 'limit', detail: 'Too large.' },
    ]
    const response = new Problem(code, { errors }).toResponse('https://api.gateway.dev', 'r')

    const body: unknown = await response.json()
    expect(ProblemSchema.strict().parse(body)).toEqual(body)
    expect(body).toMatchObject({ status: response.status, title: problemCatalog[code].title })
  })

  it('says nothing of its cause', async () => {
    const problem = new Problem('internal', { cause: new Error('password is hunter2') })

    expect(await problem.toResponse('https://api.gateway.dev', 'r').text()).not.toContain('hunter2')
  })
})
