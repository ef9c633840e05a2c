/**
 * What zod-to-openapi leaves to be said of a document: headers, examples, shared parameters and responses. All of it follows from the
 * routes, so a new route has it without saying so; only its examples are to be written, and a test asks for them.
 */
import { headerComponents, headersOf } from './headers.ts'
import {
  type Body,
  type Media,
  mapValues,
  type Operation,
  type Paths,
  pascal,
  type Reference,
  type Response,
  refName,
} from './operation.ts'
import { sharedParameters } from './parameters.ts'
import { examplesOf } from './shown.ts'

const NDJSON = 'application/x-ndjson'
const PROBLEM = 'application/problem+json'

type Schema = Readonly<Record<string, unknown>>

/** A list that may grow, says so in `anyOf`, beside which Zod's own words would close it. Figures have a format. */
export function finishedSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(finishedSchema)
  if (schema === null || typeof schema !== 'object') return schema
  const { type, enum: values, ...rest } = mapValues(schema as Schema, finishedSchema)
  if (type === 'string' && 'anyOf' in rest) return rest
  return {
    ...(type !== undefined && { type }),
    ...(values !== undefined && { enum: values }),
    ...(!('format' in rest) && formatOf(type)),
    ...rest,
  }
}

function formatOf(type: unknown) {
  const types = [type].flat()
  if (types.includes('integer')) return { format: 'int32' }
  return types.includes('number') ? { format: 'double' } : {}
}

/** A stream of lines is text to a client; what each line is, `contentSchema` says. */
const streamed = (schema: object | undefined) => ({
  type: 'string' as const,
  contentMediaType: NDJSON,
  contentSchema: schema,
})

export function finisher() {
  const parameters = sharedParameters()
  const examples: Record<string, object> = {}
  const responses: Record<string, object> = {}

  const withExamples = (media: Media, type: string, operationId: string): Media => {
    const shown = examplesOf(refName(media.schema), operationId).map(([name, example]) => {
      const component = pascal(`${refName(media.schema)}-${name}`)
      examples[component] = example
      return [name, { $ref: `#/components/examples/${component}` }]
    })
    return {
      ...media,
      ...(type === NDJSON && refName(media.schema) !== '' && { schema: streamed(media.schema) }),
      ...(shown.length > 0 && { examples: Object.fromEntries(shown) as Record<string, Reference> }),
    }
  }

  const bodyOf = <B extends Body>(body: B, operationId: string): B =>
    body.content
      ? { ...body, content: mapValues(body.content, (media, type) => withExamples(media, type, operationId)) }
      : body

  /** Operations that can be refused alike share the response; its name is made of what they can be refused with. */
  const shared = (response: Response): Response | Reference => {
    const slugs = Object.keys(response.content?.[PROBLEM]?.examples ?? {})
    if (slugs.length === 0) return response
    const name = slugs.map(pascal).join('Or')
    responses[name] ??= response
    return JSON.stringify(responses[name]) === JSON.stringify(response)
      ? { $ref: `#/components/responses/${name}` }
      : response
  }

  const finishedOperation = (operation: Operation) => ({
    ...operation,
    parameters: parameters.parametersOf(operation),
    ...(operation.requestBody && { requestBody: bodyOf(operation.requestBody, operation.operationId) }),
    responses: mapValues(operation.responses, (response, status) => {
      const headers = headersOf(operation, status, response)
      return shared(bodyOf({ ...response, headers }, operation.operationId))
    }),
  })

  const finishedWebhook = (webhook: Operation) => ({ ...webhook, parameters: parameters.ofWebhook(webhook) })

  return {
    webhooks: (items: Paths) => mapValues(items, (methods) => mapValues(methods, finishedWebhook)),
    paths: (paths: Paths) => mapValues(paths, (methods) => mapValues(methods, finishedOperation)),
    components: { parameters: parameters.components, responses, examples, headers: headerComponents },
  }
}
