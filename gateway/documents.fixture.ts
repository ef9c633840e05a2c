/** The emitted documents, as the tests walk through them. */

import { EXAMPLE_BASE_URL } from '../openapi/examples/example.ts'
import { type Media, mapValues, type Operation, type Paths, refName } from '../openapi/operation.ts'
import { documents } from './documents/index.ts'
import { allOperatorRoutes } from './operator-routes.ts'
import { allTenantRoutes } from './tenant-routes.ts'

export type Schema = Readonly<Record<string, unknown>> & {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

export interface Document {
  readonly tags: readonly { name: string; description: string }[]
  readonly paths: Paths
  readonly webhooks?: Paths
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, Operation['responses'][string]>>
    readonly [kind: string]: Readonly<Record<string, object>>
  }
}

export const emitted = mapValues(documents, (make) => make(EXAMPLE_BASE_URL) as unknown as Document)

/** The routes of both as the code has them. */
export const describedRoutes = [allTenantRoutes, allOperatorRoutes]
  .flatMap((router) => router.openAPIRegistry.definitions)
  .flatMap((one) => (one.type === 'route' ? [one.route] : []))

export interface Placed extends Operation {
  readonly place: string
  readonly summary?: string
  readonly description?: string
}

const placed = (paths: Paths): Placed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, place: `${method} ${path}` })),
  )

export const operationsOf = ({ paths }: Document) => placed(paths)
export const webhooksOf = ({ webhooks = {} }: Document) => placed(webhooks)

/** Every body that an operation takes or answers with, references followed. */
export function bodiesOf(document: Document, operation: Placed) {
  const answers = Object.entries(operation.responses).map(([status, response]) => ({
    side: status,
    body: '$ref' in response ? document.components.responses[refName(response)] : response,
  }))
  return [{ side: 'body', body: operation.requestBody }, ...answers].flatMap(({ side, body }) =>
    Object.entries(body?.content ?? {}).map(([type, media]) => ({
      at: `${operation.place} ${side} ${type}`,
      side,
      type,
      media,
    })),
  )
}

/** The examples of a body, references followed. */
export const examplesIn = (
  { components }: Document,
  { example, examples = {} }: Media,
): [string, unknown][] =>
  Object.entries(examples)
    .map(([name, one]): [string, unknown] => {
      const found = '$ref' in (one as object) ? components.examples?.[refName(one as object)] : one
      return [name, (found as { value?: unknown } | undefined)?.value]
    })
    .concat(example === undefined ? [] : [['example', example]])

/** Every schema within one, with the place where it stands; the first is the schema itself. */
export function within(schema: Schema, at: string): [string, Schema][] {
  const below = Object.entries(schema).flatMap(([key, value]): [string, Schema][] => {
    if (key === 'properties')
      return Object.entries(value as Record<string, Schema>).flatMap(([name, one]) =>
        within(one, `${at}.${name}`),
      )
    if (key === 'anyOf' || key === 'oneOf' || key === 'allOf')
      return (value as Schema[]).flatMap((one, index) => within(one, `${at}.${key}[${index}]`))
    if (key === 'items' || key === 'additionalProperties')
      return typeof value === 'object' ? within(value as Schema, `${at}.${key}`) : []
    return []
  })
  return [[at, schema], ...below]
}

/** The names of the schemas that one refers to, at any distance. */
export function reached({ components: { schemas } }: Document, names: readonly string[]): Set<string> {
  const found = new Set<string>()
  const visit = (name: string) => {
    if (found.has(name) || !schemas[name]) return
    found.add(name)
    for (const [, target] of JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      if (target) visit(target)
  }
  names.forEach(visit)
  return found
}
