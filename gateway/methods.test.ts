import { describe, expect, it } from 'vitest'
import { allowedMethods, overlaid } from './methods.ts'

const routes = [
  { method: 'ALL', path: '/*' },
  { method: 'ALL', path: '/v1/jobs/:jobId' },
  { method: 'POST', path: '/v1/jobs' },
  { method: 'GET', path: '/v1/jobs' },
  { method: 'GET', path: '/v1/jobs' },
  { method: 'POST', path: '/v1/jobs/estimate' },
  { method: 'GET', path: '/v1/jobs/:jobId' },
  { method: 'DELETE', path: '/v1/jobs/:jobId' },
  { method: 'POST', path: '/v1/jobs/:jobId/cancel' },
]

describe('the methods of a path', () => {
  it.each([
    ['come once each, HEAD with GET', '/v1/jobs', ['POST', 'GET', 'HEAD']],
    ['are those of its pattern', '/v1/jobs/job_1', ['GET', 'HEAD', 'DELETE']],
    ['are its own alone where it is spelt out', '/v1/jobs/estimate', ['POST']],
    ['do not come from a shorter pattern', '/v1/jobs/job_1/cancel', ['POST']],
    ['are none below a path', '/v1/jobs/job_1/cancel/now', []],
    ['are none for another path', '/v1/files', []],
    ['are none above a path', '/v1', []],
    ['are none for a path in capitals', '/V1/jobs', []],
    ['are none for a path that only starts alike', '/v1/jobsx', []],
    ['are none for the root', '/', []],
    ['are none for a path with an empty part', '/v1/jobs/', []],
  ])('%s: %s', (_, path, methods) => {
    expect(allowedMethods(routes, path)).toEqual(methods)
  })
})

it('paths that are spelt out where a pattern matches too are known beforehand', () => {
  expect([...overlaid(routes)]).toEqual([['/v1/jobs/estimate', ['POST']]])
})
