/** What was taken has to be what the document lets be sent: a client made from it could have sent no more. */
import type { Operation, Parameter } from './documents.ts'
import type { Exchange } from './exchange.ts'
import { misfits, textMisfits } from './schemas.ts'

/** What is wrong with a body is what these answer. */
const tellsFaults = new Set(['estimateBatch'])

export function requestFaults(exchange: Exchange, operation: Operation): string[] {
  if (exchange.status < 200 || exchange.status > 299) return []
  return [...bodyFaults(exchange, operation), ...parameterFaults(exchange, operation)]
}

function bodyFaults({ sent, requestText }: Exchange, { operationId, requestBody }: Operation): string[] {
  if (tellsFaults.has(operationId)) return []
  if (requestText === '') return requestBody?.required ? ['A body is required, and none was taken.'] : []
  const schema = requestBody?.content['application/json']?.schema
  const type = (sent.get('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (!schema || requestText === null || type !== 'application/json' || isBinary(schema)) return []
  return misfits(schema, JSON.parse(requestText)).map((fault) => `Taken though not described: ${fault}`)
}

/** Taken as bytes, whatever they are. */
const isBinary = (schema: object) => 'format' in schema && schema.format === 'binary'

function parameterFaults({ method, url, sent }: Exchange, { parameters = [] }: Operation): string[] {
  const named = parameters.filter((one) => one.in === 'query').map(({ name }) => name)
  // A POST that describes no query leaves it to its idempotency key.
  const isFree = method === 'POST' && named.length === 0
  const others = isFree ? [] : [...url.searchParams.keys()].filter((name) => !named.includes(name))
  return [
    ...others.map((name) => `The parameter ${name} was taken though not described.`),
    ...parameters.flatMap((one) => valueFaults(one, valuesOf(one, url, sent))),
  ]
}

function valuesOf({ name, in: place, explode = true }: Parameter, url: URL, sent: Headers): string[] | null {
  if (place === 'header') return [sent.get(name)].filter((value) => value !== null)
  if (place !== 'query') return null
  const values = url.searchParams.getAll(name)
  return explode ? values : values.flatMap((value) => value.split(','))
}

function valueFaults({ name, required = false, schema = {} }: Parameter, values: string[] | null): string[] {
  if (values === null) return []
  if (values.length === 0) return required ? [`The parameter ${name} is required, and none was taken.`] : []
  const [value = ''] = values
  const faults =
    'type' in schema && schema.type === 'array' ? misfits(schema, values) : textMisfits(schema, value)
  return faults.map((fault) => `The parameter ${name} was taken though not described: ${fault}`)
}
