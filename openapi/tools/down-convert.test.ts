import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pathOf } from './documents.ts'
import { toOpenApi30 } from './down-convert.ts'

type Node = { [key: string]: unknown }
type Converted = {
  openapi: string
  info: { description: string }
  paths: Record<string, Record<string, { operationId: string; callbacks?: Record<string, Node> }>>
  components: { schemas: Record<string, Node> }
}

/** As it is written to the file. */
const convert = (schemas: Node, rest: Node = {}): Converted => {
  const document = {
    openapi: '3.1.0',
    info: { description: 'Jobs.' },
    paths: {},
    components: { schemas },
    ...rest,
  }
  return JSON.parse(JSON.stringify(toOpenApi30(document)))
}

const read = (file: string) => JSON.parse(readFileSync(pathOf(file), 'utf8'))

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const others = {
  Error: { type: 'object' },
  Reason: { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'string' }] },
}

describe('OpenAPI 3.0', () => {
  it.each<[title: string, schema: Node, converted: Node]>([
    ['a type or null', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
    [
      'a component or null',
      { anyOf: [ref('Error'), { type: 'null' }], description: 'Why.' },
      { anyOf: [ref('Error'), { type: 'object', nullable: true, enum: [null] }], description: 'Why.' },
    ],
    [
      'one of some values, or another, or null',
      { anyOf: [ref('Reason'), { type: 'null' }] },
      { anyOf: [ref('Reason'), { type: 'string', nullable: true, enum: [null] }] },
    ],
    [
      'what the lines of a text are',
      { type: 'string', contentSchema: ref('Error') },
      { anyOf: [{ type: 'string' }, ref('Error')] },
    ],
    [
      'a component with words',
      { ...ref('Error'), description: 'Why.' },
      { allOf: [ref('Error')], description: 'Why.' },
    ],
    [
      'an exclusive bound',
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'number', minimum: 0, exclusiveMinimum: true },
    ],
    ['a constant', { type: 'string', const: 'job' }, { type: 'string', enum: ['job'] }],
    ['examples', { type: 'string', examples: ['a', 'b'] }, { type: 'string', example: 'a' }],
    [
      'an example that looks like a schema',
      { type: 'object', example: { anyOf: [{ type: 'null' }] } },
      { type: 'object', example: { anyOf: [{ type: 'null' }] } },
    ],
  ])('says %s', (_, schema, converted) => {
    const { components } = convert({
      ...others,
      Other: { type: 'object' },
      Job: { properties: { it: schema } },
    })
    expect(components.schemas.Job).toEqual({ properties: { it: converted } })
  })

  it('has webhooks as callbacks of the operation that registers a receiver', () => {
    const item = { post: { operationId: 'onJobFailed' } }
    const paths = { '/v1/webhook_endpoints': { post: { operationId: 'createWebhookEndpoint' } } }

    const converted = convert({}, { paths, webhooks: { 'job.failed': item } })

    expect(converted).not.toHaveProperty('webhooks')
    expect(converted.paths['/v1/webhook_endpoints']?.post?.callbacks).toEqual({
      'job.failed': { '{$request.body#/url}': item },
    })
    expect(converted.info.description).toMatch(/^Jobs\.\n\nThis is the OpenAPI 3\.0 form/)
  })
})

describe.each([
  ['openapi.json', 'openapi-3.0.json'],
  ['ops.json', 'ops-3.0.json'],
])('%s as %s', (file, file30) => {
  const [document, document30] = [read(file), read(file30)]
  const count = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern)).length
  const texts = [JSON.stringify(document), JSON.stringify(document30)] as const

  it('keeps every operation, every event and every schema', () => {
    const ids = (text: string) => Array.from(text.matchAll(/"operationId":"(\w+)"/g), ([, id]) => id).sort()
    expect(document30.openapi).toBe('3.0.3')
    expect(ids(texts[1])).toEqual(ids(texts[0]))
    expect(Object.keys(document30.components.schemas)).toEqual(Object.keys(document.components.schemas))
  })

  it('keeps every null', () => {
    expect(count(texts[1], /"nullable":true/g)).toBe(count(texts[0], /"null"/g))
  })

  it('keeps every example', () => {
    const examples = /"examples?":/g
    expect(count(texts[1], examples)).toBe(count(texts[0], examples))
  })
})
