/** Parameters that many operations take: each is described once, and referred to. */
import {
  isReference,
  type Operation,
  type Parameter,
  parameterNames,
  pascal,
  type Reference,
} from './operation.ts'

const requestId = {
  name: 'X-Request-Id',
  in: 'header',
  required: false,
  description:
    'Names the request in the answer and in our logs: 1 to 128 of `A-Z a-z 0-9 . _ -`. Anything else is replaced by a fresh one.',
  schema: { type: 'string' as const },
  example: 'order-4711-attempt-1',
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of an earlier answer: 304 without a body when nothing has changed since.',
  schema: { type: 'string' as const },
  example: 'W/"3-running"',
}

/** IDs in paths, and these. */
const sharedNames = [
  ...['limit', 'cursor', 'Idempotency-Key', 'Prefer', 'X-Request-Id', 'If-None-Match'],
  ...['webhook-id', 'webhook-timestamp', 'webhook-signature'],
]

const isShared = ({ in: place, name }: Parameter) =>
  (place === 'path' && name.endsWith('_id')) || sharedNames.includes(name)

/** An optional key is another parameter than a required one. */
const nameOf = ({ name, required }: Parameter) =>
  name === 'Idempotency-Key' && !required ? 'OptionalIdempotencyKey' : pascal(name)

/** Takes out what is shared, and adds what every operation takes. The first to describe a parameter describes it for all that say the same. */
export function sharedParameters() {
  const components: Record<string, Parameter> = {}

  const referenced = (parameter: Parameter | Reference): Parameter | Reference => {
    if (isReference(parameter) || !isShared(parameter)) return parameter
    const name = nameOf(parameter)
    components[name] ??= parameter
    return same(components[name], parameter) ? { $ref: `#/components/parameters/${name}` } : parameter
  }

  const parametersOf = (operation: Operation) => {
    const isConditional =
      '304' in operation.responses && !parameterNames(operation).includes(ifNoneMatch.name)
    const added = isConditional ? [ifNoneMatch, requestId] : [requestId]
    return [...(operation.parameters ?? []), ...added].map(referenced)
  }

  /** A webhook has what its sender gives it, and nothing else. */
  const ofWebhook = ({ parameters = [] }: Operation) => parameters.map(referenced)

  return { components, parametersOf, ofWebhook }
}

const same = (a: Parameter, b: Parameter) => JSON.stringify(a) === JSON.stringify(b)
