/** An answer held against the responses of its operation. */
import type { Content, Operation, ResponseObject } from './documents.ts'
import type { Exchange } from './exchange.ts'
import { problemFaults } from './problems.ts'
import { misfits, textMisfits } from './schemas.ts'

export function answerFaults(exchange: Exchange, { operationId, responses }: Operation): string[] {
  const { status } = exchange
  const response = responses[status] ?? responses[`${String(status)[0]}XX`] ?? responses.default
  if (!response) return [`${operationId} declares no status ${status}.`]
  const { content = {} } = response
  return [
    ...headerFaults(exchange, response),
    ...(Object.keys(content).length === 0 ? emptyFaults(exchange) : bodyFaults(exchange, content)),
  ]
}

const headerFaults = ({ headers }: Exchange, { headers: declared = {} }: ResponseObject) =>
  Object.entries(declared).flatMap(([name, { required = false, schema }]) => {
    const value = headers.get(name)
    if (value === null) return required ? [`The header ${name} is missing.`] : []
    return schema ? textMisfits(schema, value).map((fault) => `The header ${name}: ${fault}`) : []
  })

const emptyFaults = ({ text, headers }: Exchange) =>
  text === '' && !headers.has('Content-Type') ? [] : ['A body is declared for no such status.']

function bodyFaults(exchange: Exchange, content: Content): string[] {
  const { method, headers, text } = exchange
  const type = (headers.get('Content-Type') ?? '').split(';')[0] ?? ''
  const schema = content[type]?.schema
  if (!schema) return [`The type ${type} is not declared.`]
  const asProblem = type === 'application/problem+json' ? problemFaults(exchange) : []
  if (method === 'HEAD') return text === '' ? asProblem : ['A HEAD is answered without a body.']
  return [...asProblem, ...misfitsIn(text, type, schema)]
}

function misfitsIn(text: string, type: string, schema: object): string[] {
  try {
    if (type === 'application/x-ndjson')
      return linesOf(text).flatMap((line) => misfits(ofLine(schema), JSON.parse(line)))
    return misfits(schema, /[/+]json$/.test(type) ? JSON.parse(text) : text)
  } catch (error) {
    return [`The body is not JSON: ${String(error)}`]
  }
}

/** Lines are a text, whose content has the schema of each. */
const ofLine = (schema: object) => ('contentSchema' in schema ? (schema.contentSchema as object) : schema)

/** Every line ends with a line feed, the last one too. */
function linesOf(text: string): string[] {
  const lines = text.split('\n')
  return lines.pop() === '' ? lines : ['A last line without its end.']
}
