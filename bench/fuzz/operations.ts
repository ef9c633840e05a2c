/** The operations of both documents, as they are served, with every reference resolved. */
import SwaggerParser from '@apidevtools/swagger-parser'
import { z } from 'zod'

const Schema = z.record(z.string(), z.unknown())
export type Schema = z.infer<typeof Schema>

const Content = z.record(z.string(), z.object({ schema: Schema.default({}) }))
const Parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().default(false),
  schema: Schema.default({}),
})
export type Parameter = z.infer<typeof Parameter>

const Described = z.object({
  operationId: z.string(),
  parameters: z.array(Parameter).default([]),
  requestBody: z.object({ content: Content }).optional(),
})
const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
const Document = z.object({
  paths: z.record(z.string(), z.partialRecord(z.enum(methods), Described)),
})

export type Audience = 'tenant' | 'operator'

export interface Operation {
  readonly id: string
  readonly audience: Audience
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** Schemas by media type; none for an operation without a body. */
  readonly bodies: readonly { type: string; schema: Schema }[]
}

const served: Record<Audience, string> = { tenant: '/openapi.json', operator: '/ops/openapi.json' }

/** All operations that the gateway at `url` describes. */
export async function readOperations(url: URL): Promise<Operation[]> {
  const lists = Object.entries(served).map(async ([audience, path]) => {
    const text = await (await fetch(new URL(path, url))).text()
    const whole = await SwaggerParser.dereference(JSON.parse(text, withPlainTimes))
    return operationsIn(Document.parse(whole), audience as Audience)
  })
  return (await Promise.all(lists)).flat()
}

/** What makes the samples knows times by their format alone: by a pattern it makes some that are none, and breaks over them. */
function withPlainTimes(_: string, value: unknown): unknown {
  const { success, data } = Schema.safeParse(value)
  if (!success || data.format !== 'date-time') return value
  const { pattern: _pattern, ...rest } = data
  return rest
}

/** The token endpoint answers by RFC 6749, in no problems, and limits by itself who asks too often. */
const isJudged = ([path]: [string, unknown]) => path !== '/oauth/token'

/** Taken at their word these would hold back the run itself, or take its tenant away; here nothing can be restored. */
const holdBack = ['suspendTenant', 'pauseIntake', 'disableModel', 'deleteTenant', 'restoreTenant']

const operationsIn = ({ paths }: z.infer<typeof Document>, audience: Audience): Operation[] =>
  Object.entries(paths)
    .filter(isJudged)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, described]) => ({
        id: described.operationId,
        audience,
        method: method.toUpperCase(),
        path,
        parameters: described.parameters,
        bodies: Object.entries(described.requestBody?.content ?? {}).map(([type, { schema }]) => ({
          type,
          schema,
        })),
      })),
    )
    .filter(({ id }) => !holdBack.includes(id))
