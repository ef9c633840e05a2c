import { describe, expect, it } from 'vitest'
import { refName } from '../openapi/operation.ts'
import {
  bodiesOf,
  type Document,
  emitted,
  examplesIn,
  operationsOf,
  type Placed,
  reached,
  type Schema,
  webhooksOf,
  within,
} from './documents.fixture.ts'

const isEmpty = (text: unknown) => typeof text !== 'string' || text.trim() === ''
const places = (operations: Placed[], isWrong: (operation: Placed) => boolean) =>
  operations.filter(isWrong).map(({ place }) => place)
const namesOf = (found: [string, Schema][], isWrong: (schema: Schema) => boolean) =>
  found.filter(([, schema]) => isWrong(schema)).map(([at]) => at)

/** Unions of inputs, which are told apart by the fields that they have; and the outputs, by the kind around them. */
const toldByShape = ['SummarizeInput', 'EmbedInput', 'ClassifyInput', 'ReportSource', 'JobOutput']

const isBinary = (schema: object | undefined) => schema !== undefined && 'format' in schema
const isStream = (schema: object | undefined) => schema !== undefined && 'contentSchema' in schema
const isList = ({ enum: values }: Schema) => Array.isArray(values) && values.length > 1
const isNull = ({ type }: Schema) => type === 'null'

describe.each(Object.entries(emitted))('the document for %s', (_, document) => {
  const operations = operationsOf(document)
  const all = [...operations, ...webhooksOf(document)]
  const schemas = Object.entries(document.components.schemas)
  const parts = schemas.flatMap(([name, schema]) => within(schema, name))

  describe('describes operations, each of which', () => {
    it('has an ID of its own, in camel case', () => {
      const ids = all.map(({ operationId }) => operationId)

      expect(new Set(ids).size).toBe(ids.length)
      expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([])
    })

    it('says in a line and in a few what it does', () => {
      expect(places(all, ({ summary, description }) => isEmpty(summary) || isEmpty(description))).toEqual([])
    })

    it('has a tag that is described', () => {
      const tags = document.tags.filter(({ description }) => !isEmpty(description)).map(({ name }) => name)

      expect(places(all, (one) => one.tags?.length !== 1 || !tags.includes(one.tags[0] ?? ''))).toEqual([])
    })

    it('names its scopes, or says that it needs no token', () => {
      expect(places(all, ({ security }) => security === undefined)).toEqual([])
      const guarded = operations.filter(({ place }) => place !== 'post /oauth/token')
      expect(places(guarded, ({ security = [] }) => security[0]?.oauth2?.length !== 1)).toEqual([])
    })

    it('tells how it refuses', () => {
      const refuses = ({ responses }: Placed) =>
        Object.keys(responses).some((status) => status.startsWith('4'))
      expect(places(operations, (one) => !refuses(one))).toEqual([])
    })
  })

  describe('describes bodies, each of which', () => {
    const bodies = all.flatMap((operation) => bodiesOf(document, operation))

    it('is a schema with a name, a stream of such, or bytes', () => {
      const named = ({ schema }: { schema?: object }) =>
        refName(schema) || isStream(schema) || isBinary(schema)
      expect(bodies.filter(({ media }) => !named(media)).map(({ at }) => at)).toEqual([])
    })

    it('has examples', () => {
      const bare = ({ media }: (typeof bodies)[number]) =>
        !isBinary(media.schema) && examplesIn(document, media).length === 0
      const isForm = ({ type }: { type: string }) => type === 'application/x-www-form-urlencoded'
      expect(bodies.filter((body) => bare(body) && !isForm(body)).map(({ at }) => at)).toEqual([])
    })
  })

  describe('describes schemas, each of which', () => {
    it('says what it is, and so do parameters, headers and responses', () => {
      const { parameters = {}, headers = {}, responses } = document.components
      const described = { ...document.components.schemas, ...parameters, ...headers, ...responses }
      const bare = Object.entries(described).filter(([, one]) => isEmpty((one as Schema).description))
      expect(bare.map(([name]) => name)).toEqual([])
    })

    it('has an object or a list inside only by its name', () => {
      const inner = parts.filter(([at]) => /[.]/.test(at) && !/^\w+\.anyOf\[0\]$/.test(at))
      expect(namesOf(inner, (schema) => schema.properties !== undefined || isList(schema))).toEqual([])
      expect(namesOf(parts, (schema) => 'allOf' in schema)).toEqual([])
    })

    it('tells how its numbers are kept', () => {
      const isNumber = ({ type = '' }: Schema) => /integer|number/.test([type].flat().join())
      expect(namesOf(parts, (schema) => isNumber(schema) && !('format' in schema))).toEqual([])
    })

    it('tells its members apart by a field, where it is a union', () => {
      expect(namesOf(parts, (schema) => !isToldApart(document, schema)).filter(isNew)).toEqual([])
    })

    it('is unlike all others', () => {
      const shapes = Map.groupBy(schemas, ([, { description: __, ...shape }]) => JSON.stringify(shape))
      const alike = [...shapes.values()].filter((group) => group.length > 1)
      expect(alike.map((group) => group.map(([name]) => name))).toEqual([])
    })

    it('takes nothing unknown in a request, and promises nothing of the kind in an answer', () => {
      const taken = reached(document, bodyNames(document, operations, 'body'))
      const answered = reached(document, bodyNames(document, all, 'answers'))
      const objects = schemas.filter(([, { type }]) => type === 'object')
      const isClosed = ({ additionalProperties }: Schema) => additionalProperties === false
      const open = objects.filter(
        ([name, schema]) => taken.has(name) && schema.properties && !isClosed(schema),
      )
      expect(open.map(([name]) => name).filter((name) => name !== 'TokenRequest')).toEqual([])
      expect(
        objects.filter(([name, one]) => answered.has(name) && isClosed(one)).map(([name]) => name),
      ).toEqual([])
    })
  })

  it('describes every parameter', () => {
    const bare = all.flatMap(({ place, parameters = [] }) =>
      parameters.filter((one) => !('$ref' in one) && !('description' in one)).map(() => place),
    )
    expect(bare).toEqual([])
  })
})

const isNew = (at: string) => !toldByShape.includes(at)

/** A list that may grow and something that may be null are no unions in this sense. */
function isToldApart({ components }: Document, schema: Schema): boolean {
  const members = (schema.oneOf ?? schema.anyOf ?? []) as Schema[]
  const kinds = members.filter((member) => !isNull(member))
  if (kinds.length < 2 || kinds.every(({ type }) => type === 'string')) return true
  const { propertyName, mapping = {} } = (schema.discriminator ?? {}) as {
    propertyName?: string
    mapping?: Record<string, string>
  }
  const names = kinds.map(refName)
  const tells = (name: string) => components.schemas[name]?.properties?.[propertyName ?? ''] !== undefined
  return (
    names.every(tells) &&
    Object.values(mapping)
      .map(($ref) => refName({ $ref }))
      .join() === names.join()
  )
}

const bodyNames = (document: Document, operations: Placed[], side: 'body' | 'answers') =>
  operations.flatMap((operation) =>
    bodiesOf(document, operation)
      .filter((body) => (body.side === 'body') === (side === 'body'))
      .map(({ media }) => refName(media.schema)),
  )
