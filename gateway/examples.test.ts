import type { z } from '@hono/zod-openapi'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { refName } from '../openapi/operation.ts'
import {
  bodiesOf,
  type Document,
  describedRoutes,
  emitted,
  examplesIn,
  operationsOf,
  type Placed,
  webhooksOf,
} from './documents.fixture.ts'

/** As a client's validator, which knows the document and nothing else, sees it. */
function validatorOf(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(document, 'document')
  return (schema: object, value: unknown): object[] => {
    const name = refName(schema)
    const validate = name ? ajv.getSchema(`document#/components/schemas/${name}`) : ajv.compile(schema)
    return validate?.(value) ? [] : (validate?.errors ?? [{ message: `There is no ${name}.` }])
  }
}

describe.each(Object.entries(emitted))('the examples for %s', (_, document) => {
  const validate = validatorOf(document)
  const bodies = [...operationsOf(document), ...webhooksOf(document)].flatMap((one) =>
    bodiesOf(document, one),
  )
  const examples = bodies.flatMap(({ at, media }) =>
    examplesIn(document, media).map(([name, value]) => ({
      at: `${at} ${name}`,
      schema: media.schema ?? {},
      value,
    })),
  )

  it('follow the schemas that they stand beside', () => {
    expect(examples.length).toBeGreaterThan(50)
    const wrong = examples.flatMap(({ at, schema, value }) =>
      validate(schema, value)?.map((error) => ({ at, error })),
    )
    expect(wrong).toEqual([])
  })

  it('hold lines that follow the schema of a line, where they are streams', () => {
    const streams = examples.filter(({ schema }) => 'contentSchema' in schema)
    const wrong = streams.flatMap(({ schema, value }) =>
      String(value)
        .trimEnd()
        .split('\n')
        .flatMap((line) => validate((schema as { contentSchema: object }).contentSchema, JSON.parse(line))),
    )
    expect(wrong).toEqual([])
  })
})

interface Route {
  readonly method: string
  readonly path: string
  readonly request?: { body?: Body }
  readonly responses: Readonly<Record<string, Body>>
}
interface Body {
  readonly content?: Readonly<Record<string, { schema?: z.ZodType }>>
}

const routes = new Map<string, Route>(
  describedRoutes.map((described) => {
    const route = described as unknown as Route
    return [`${route.method} ${route.path}`, route] as const
  }),
)

/** The schema by which the code takes or gives this body; none for bytes, and for streams, which it writes line by line. */
function schemaOf(place: string, side: string, type: string): z.ZodType | undefined {
  const route = routes.get(place)
  const body = side === 'body' ? route?.request?.body : route?.responses[side]
  const schema = body?.content?.[type]?.schema
  return schema && 'parse' in schema && type !== 'application/x-ndjson' ? schema : undefined
}

describe.each(Object.entries(emitted))('what the code takes and gives for %s', (_, document) => {
  it.each(operationsOf(document).map((operation): [string, Placed] => [operation.place, operation]))(
    'is what the examples show: %s',
    (place, operation) => {
      for (const { side, type, media } of bodiesOf(document, operation)) {
        const schema = schemaOf(place, side, type)
        for (const [, value] of examplesIn(document, media))
          expect(schema?.parse(value) ?? value).toEqual(value)
      }
    },
  )
})
