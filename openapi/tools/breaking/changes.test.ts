import { describe, expect, it } from 'vitest'
import { breakingChanges } from './changes.ts'
import { changesBy, create, job, released, request } from './released.fixture.ts'

describe('breaks callers', () => {
  it.each<[title: string, place: string, value: unknown, message: string]>([
    ['a path that is gone', 'paths', {}, 'GET /v1/jobs: is gone'],
    ['an operation that is gone', 'paths|/v1/jobs|get', undefined, 'GET /v1/jobs: is gone'],
    [
      'another operationId',
      `${create}|operationId`,
      'submit',
      'POST /v1/jobs: its operationId was createJob, and is submit',
    ],
    ['another tag', `${create}|tags`, ['Work'], 'POST /v1/jobs: its tag was Jobs, and is Work'],
    ['a parameter that is gone', `${create}|parameters|1`, undefined, 'POST /v1/jobs query wait: is gone'],
    [
      'a parameter that has become required',
      `${create}|parameters|1|required`,
      true,
      'POST /v1/jobs query wait: is required now',
    ],
    [
      'a new required parameter',
      'paths|/v1/jobs|get|parameters',
      [{ name: 'from', in: 'query', required: true }],
      'GET /v1/jobs query from: is required now',
    ],
    [
      'a narrower parameter',
      `${create}|parameters|1|schema|maximum`,
      20,
      'POST /v1/jobs query wait: its maximum was 60, and is 20',
    ],
    [
      'a parameter that is written another way',
      `${create}|parameters|1|explode`,
      false,
      'POST /v1/jobs query wait: is written another way (explode)',
    ],
    [
      'a body of another media type',
      `${create}|requestBody|content`,
      {},
      'POST /v1/jobs body: no longer is application/json',
    ],
    ['a response that is gone', `${create}|responses|422`, undefined, 'POST /v1/jobs 422: is gone'],
    ['a header that is gone', `${create}|responses|202|headers`, {}, 'POST /v1/jobs 202 Location: is gone'],
    [
      'a header that may be missing',
      `${create}|responses|202|headers|Location|required`,
      false,
      'POST /v1/jobs 202 Location: may now be missing',
    ],
    [
      'a further scope',
      `${create}|security`,
      [{ oauth2: ['jobs:write', 'jobs:read'] }],
      'POST /v1/jobs: no longer suffices: oauth2 (jobs:write)',
    ],
    [
      'a scope that is gone',
      'components|securitySchemes|oauth2|flows|clientCredentials|scopes',
      { 'jobs:read': '' },
      'security scheme oauth2: no longer has the scope jobs:write',
    ],
    [
      'another token endpoint',
      'components|securitySchemes|oauth2|flows|clientCredentials|tokenUrl',
      '/token',
      'security scheme oauth2: its tokenUrl was /oauth/token, and is /token',
    ],
    ['a webhook that is gone', 'webhooks', {}, 'POST job.failed: is gone'],
    [
      "a webhook's header that is gone",
      'webhooks|job.failed|post|parameters',
      [],
      'POST job.failed header webhook-id: is gone',
    ],
    ['a type that generated code has lost', 'components|schemas|Embed', undefined, 'schema Embed: is gone'],
  ])('%s', (_, place, value, message) => {
    expect(changesBy(place, value)).toContain(message)
  })
})

describe('breaks nobody', () => {
  it('that is what it was', () => {
    expect(breakingChanges(released, structuredClone(released))).toEqual([])
  })

  it.each<[title: string, place: string, value: unknown]>([
    ['a further path', 'paths|/v1/files', { post: { operationId: 'createFile', responses: {} } }],
    ['a further parameter', 'paths|/v1/jobs|get|parameters', [{ name: 'from', in: 'query' }]],
    ['a further response', `${create}|responses|429`, {}],
    ['a further header', `${create}|responses|202|headers|ETag`, {}],
    ['a scope less', `${create}|security`, []],
    ['a further webhook', 'webhooks|job.accepted', { post: { responses: {} } }],
    [
      "a webhook's further header",
      'webhooks|job.failed|post|parameters|1',
      { name: 'more', in: 'header', required: true },
    ],
    ['a further type', 'components|schemas|More', { type: 'string' }],
    ['a further optional property in a request', `${request}|more`, { type: 'string' }],
    ['a further property in a response', `${job}|properties|more`, { type: 'string' }],
    ['a further value in a request', `${request}|priority|enum`, ['high', 'low', 'normal']],
    [
      'a further value where others were announced',
      `${job}|properties|reason|anyOf|0|enum`,
      ['waiting', 'held'],
    ],
    ['wider bounds in a request', `${request}|size|maximum`, 100],
    ['wider bounds in a response', `${job}|properties|attempts|maximum`, 9],
    ['a larger integer in a request', `${request}|size|format`, 'int64'],
    [
      'any number where an integer was asked for',
      `${request}|size`,
      { type: 'number', minimum: 1, maximum: 10 },
    ],
    ['null in a request', `${request}|size|type`, ['integer', 'null']],
    ['null no more in a response', `${job}|properties|error`, { $ref: '#/components/schemas/JobError' }],
    [
      'null apart from the values',
      `${job}|properties|hint`,
      { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
    ],
    ['a further alternative in a request', 'components|schemas|JobRequest|oneOf|2', { type: 'object' }],
    [
      'a further kind in a response',
      `${job}|properties|output|oneOf|2`,
      { $ref: '#/components/schemas/Embed' },
    ],
    ['other words', `${job}|properties|id|description`, 'The ID.'],
  ])('%s', (_, place, value) => {
    expect(changesBy(place, value)).toEqual([])
  })
})
