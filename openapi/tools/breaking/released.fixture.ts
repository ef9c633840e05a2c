/** A small document, and copies of it in which one thing is another. */
import { breakingChanges } from './changes.ts'
import type { Document, Schema } from './documents.ts'

const json = (schema: Schema) => ({ content: { 'application/json': { schema } } })

export const released: Document = {
  info: { version: '1.0.0' },
  security: [{ oauth2: ['jobs:read'] }],
  paths: {
    '/v1/jobs': {
      post: {
        operationId: 'createJob',
        tags: ['Jobs'],
        parameters: [
          { name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string' } },
          { name: 'wait', in: 'query', schema: { type: 'integer', maximum: 60 } },
        ],
        requestBody: { required: true, ...json({ $ref: '#/components/schemas/JobRequest' }) },
        responses: {
          202: {
            headers: { Location: { required: true, schema: { type: 'string' } } },
            ...json({ $ref: '#/components/schemas/Job' }),
          },
          422: json({ type: 'object' }),
        },
        security: [{ oauth2: ['jobs:write'] }],
      },
      get: {
        operationId: 'listJobs',
        tags: ['Jobs'],
        responses: {
          200: json({ type: 'array', items: { $ref: '#/components/schemas/Job' } }),
          206: json({ type: 'string', contentSchema: { $ref: '#/components/schemas/Job' } }),
        },
      },
    },
  },
  webhooks: {
    'job.failed': {
      post: {
        operationId: 'onJobFailed',
        parameters: [{ name: 'webhook-id', in: 'header', required: true, schema: { type: 'string' } }],
        requestBody: json({ $ref: '#/components/schemas/Job' }),
        responses: { 200: {} },
      },
    },
  },
  components: {
    securitySchemes: {
      oauth2: {
        flows: {
          clientCredentials: { tokenUrl: '/oauth/token', scopes: { 'jobs:read': '', 'jobs:write': '' } },
        },
      },
    },
    schemas: {
      Job: {
        type: 'object',
        required: ['id', 'status', 'error'],
        properties: {
          id: { type: 'string' },
          status: { type: 'string', enum: ['running', 'failed'] },
          reason: { anyOf: [{ type: 'string', enum: ['waiting'] }, { type: 'string' }] },
          hint: { type: ['string', 'null'], enum: ['a', null] },
          error: { anyOf: [{ $ref: '#/components/schemas/JobError' }, { type: 'null' }] },
          output: {
            oneOf: [{ $ref: '#/components/schemas/Classify' }, { $ref: '#/components/schemas/JobError' }],
            discriminator: { propertyName: 'kind' },
          },
          parent: { $ref: '#/components/schemas/Job' },
          attempts: { type: 'integer', format: 'int32', maximum: 6 },
        },
      },
      JobError: { type: 'object', required: ['class'], properties: { class: { type: 'string' } } },
      JobRequest: {
        oneOf: [{ $ref: '#/components/schemas/Embed' }, { $ref: '#/components/schemas/Classify' }],
      },
      Embed: {
        type: 'object',
        additionalProperties: false,
        required: ['kind'],
        properties: {
          kind: { type: 'string', enum: ['embed'] },
          priority: { type: 'string', enum: ['high', 'low'], default: 'low' },
          size: { type: 'integer', format: 'int32', minimum: 1, maximum: 10 },
          note: { type: ['string', 'null'], maxLength: 100 },
          metadata: { type: 'object', additionalProperties: { type: 'string', maxLength: 512 } },
        },
      },
      Classify: {
        type: 'object',
        required: ['kind'],
        properties: { kind: { type: 'string', const: 'classify' } },
      },
    },
  },
}

/** A copy with a value put in a place, as `components|schemas|Job`; `undefined` takes out what is there. */
export function changed(place: string, value: unknown): Document {
  const copy = structuredClone(released)
  const parts = place.split('|')
  const last = parts.pop() ?? ''
  const node = parts.reduce<Record<string, unknown>>((at, part) => at[part] as Record<string, unknown>, copy)
  if (value !== undefined) node[last] = value
  else if (Array.isArray(node)) node.splice(Number(last), 1)
  else delete node[last]
  return copy
}

export const changesBy = (place: string, value: unknown): string[] =>
  breakingChanges(released, changed(place, value)).map((change) => `${change.place}: ${change.message}`)

export const request = 'components|schemas|Embed|properties'
export const job = 'components|schemas|Job'
export const create = 'paths|/v1/jobs|post'
