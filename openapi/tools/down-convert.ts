/**
 * The documents again as OpenAPI 3.0.3, for tools that read no 3.1. Most is a library's work. Done here is what it leaves as it is: a null among
 * the alternatives, exclusive bounds that are numbers, and of what the lines of a text are. 3.0 knows no webhooks, so those stand as callbacks of the operation that
 * registers a receiver. What names of properties must look like (`propertyNames`) cannot be said in 3.0 and is dropped.
 */
import { Converter } from '@apiture/openapi-down-convert'

type Node = { [key: string]: unknown }
type Schemas = Record<string, Node>
type Document = Node & {
  info: Node
  paths: Record<string, Record<string, Node>>
  webhooks?: Record<string, Node>
  components: { schemas: Schemas }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNull = (schema: unknown) => isNode(schema) && schema.type === 'null'

/** All types that a schema allows. */
function typesOf(schema: Node, schemas: Schemas): unknown[] {
  if (typeof schema.$ref === 'string')
    return typesOf(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas)
  const alternatives = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as Node[] | undefined
  return schema.type ? [schema.type].flat() : (alternatives ?? []).flatMap((one) => typesOf(one, schemas))
}

/** `nullable` counts only beside a `type`, and not for what stands beside it, so null is an alternative here too. */
function withoutNull({ anyOf, ...rest }: Node, schemas: Schemas): Node {
  const others = (anyOf as Node[]).filter((one) => !isNull(one))
  const [type = 'object'] = others.flatMap((one) => typesOf(one, schemas))
  return { ...rest, anyOf: [...others, { type, nullable: true, enum: [null] }] }
}

/** What lines of a text are cannot be said of the text: it stands as another reading of the same bytes, line by line. */
const withContent = ({ contentSchema, ...text }: Node): Node => ({ anyOf: [text, contentSchema] })

function withBounds({ exclusiveMinimum, exclusiveMaximum, ...rest }: Node): Node {
  return {
    ...rest,
    ...(typeof exclusiveMinimum === 'number' && { minimum: exclusiveMinimum, exclusiveMinimum: true }),
    ...(typeof exclusiveMaximum === 'number' && { maximum: exclusiveMaximum, exclusiveMaximum: true }),
  }
}

function convertSchema(schema: Node, schemas: Schemas): Node {
  if (Array.isArray(schema.anyOf) && schema.anyOf.some(isNull)) return withoutNull(schema, schemas)
  if ('contentSchema' in schema) return withContent(schema)
  return 'exclusiveMinimum' in schema || 'exclusiveMaximum' in schema ? withBounds(schema) : schema
}

const isContent = (key: string) => key === 'example' || key === 'examples' || key === 'default'

/** Every node but what lies in examples. */
function convertAll(value: unknown, schemas: Schemas): unknown {
  if (Array.isArray(value)) return value.map((one) => convertAll(one, schemas))
  if (!isNode(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    isContent(key) ? inner : convertAll(inner, schemas),
  ])
  return convertSchema(Object.fromEntries(entries), schemas)
}

const NOTE = [
  'This is the OpenAPI 3.0 form of a document that is written in 3.1, for tools that do not read that. Webhooks stand here as callbacks of the',
  'operation that registers a receiver.',
].join('\n')

/** Of tenants, and of operators. */
const registrations = new Set<unknown>(['createWebhookEndpoint', 'createAlertEndpoint'])

/** Moves the webhooks to where the URL that they go to is given. */
function webhooksAsCallbacks({ webhooks, ...document }: Document): Document {
  const registering = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => registrations.has(operationId))
  if (!webhooks || !registering) return document
  registering.callbacks = Object.fromEntries(
    Object.entries(webhooks).map(([name, item]) => [name, { '{$request.body#/url}': item }]),
  )
  return { ...document, info: { ...document.info, description: `${document.info.description}\n\n${NOTE}` } }
}

export function toOpenApi30(document: object): object {
  const copy = webhooksAsCallbacks(structuredClone(document) as Document)
  const prepared = convertAll(copy, copy.components.schemas) as object
  return new Converter(prepared, { allOfTransform: true }).convert()
}
