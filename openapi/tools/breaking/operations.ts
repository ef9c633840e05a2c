/** What of an operation or a webhook breaks those who call it, or are called by it. */
import {
  type Body,
  type Change,
  type Header,
  type Operation,
  type Parameter,
  type Response,
  resolved,
} from './documents.ts'
import { type Comparison, schemaChanges } from './schemas.ts'
import { securityChanges } from './security.ts'

const inside = (at: Comparison, part: string): Comparison => ({ ...at, place: `${at.place} ${part}` })

const told = (at: Comparison, message: string): Change => ({ place: at.place, message })

/** A parameter of a request, or a header of either. */
function fieldChanges(before: Header | undefined, after: Header | undefined, at: Comparison): Change[] {
  if (!after) return [told(at, 'is gone')]
  const [had, has] = [before?.required ?? false, after.required ?? false]
  const broken = at.flow === 'in' ? has && !had && 'is required now' : had && !has && 'may now be missing'
  if (!before) return broken ? [told(at, broken)] : []
  const written = before.explode === after.explode ? [] : [told(at, 'is written another way (explode)')]
  const inner = schemaChanges(before.schema ?? {}, after.schema ?? {}, at)
  return [...(broken ? [told(at, broken)] : []), ...written, ...inner]
}

type Fields = Readonly<Record<string, Header>>

/** New ones matter only in what customers send. */
function allFieldChanges(before: Fields, after: Fields, at: Comparison): Change[] {
  const names = Object.keys(at.flow === 'in' ? { ...before, ...after } : before)
  return names.flatMap((name) => fieldChanges(before[name], after[name], inside(at, name)))
}

function contentChanges(before: Body, after: Body, at: Comparison): Change[] {
  return Object.entries(before.content ?? {}).flatMap(([type, { schema: was = {} }]) => {
    const now = after.content?.[type]
    return now ? schemaChanges(was, now.schema ?? {}, at) : [told(at, `no longer is ${type}`)]
  })
}

const parametersOf = (list: readonly Parameter[], document: Comparison['before']): Fields =>
  Object.fromEntries(list.map((one) => resolved(one, document)).map((one) => [`${one.in} ${one.name}`, one]))

function bodyChanges(before: Body | undefined, after: Body | undefined, at: Comparison): Change[] {
  const [was, is] = [resolved(before ?? {}, at.before), resolved(after ?? {}, at.after)]
  const required = at.flow === 'in' && is.required && !was.required ? [told(at, 'is required now')] : []
  return [...required, ...contentChanges(was, is, at)]
}

function responseChanges(before: Response, after: Response | undefined, at: Comparison): Change[] {
  if (!after) return [told(at, 'is gone')]
  const [was, is] = [resolved(before, at.before), resolved(after, at.after)]
  const headers = (one: Response, document: Comparison['before']) =>
    Object.fromEntries(
      Object.entries(one.headers ?? {}).map(([name, header]) => [name, resolved(header, document)]),
    )
  return [
    ...allFieldChanges(headers(was, at.before), headers(is, at.after), at),
    ...contentChanges(was, is, at),
  ]
}

/** The names that generated code gets from it. */
function nameChanges(before: Operation, after: Operation, at: Comparison): Change[] {
  const [was, is] = [before.tags?.[0], after.tags?.[0]]
  return [
    ...(before.operationId === after.operationId
      ? []
      : [told(at, `its operationId was ${before.operationId}, and is ${after.operationId}`)]),
    ...(was === is ? [] : [told(at, `its tag was ${was}, and is ${is}`)]),
  ]
}

export function operationChanges(before: Operation, after: Operation, at: Comparison): Change[] {
  const answer: Comparison = { ...at, flow: at.flow === 'in' ? 'out' : 'in' }
  const responses = Object.entries(before.responses ?? {}).flatMap(([status, response]) =>
    responseChanges(response, after.responses?.[status], inside(answer, status)),
  )
  return [
    ...nameChanges(before, after, at),
    ...allFieldChanges(
      parametersOf(before.parameters ?? [], at.before),
      parametersOf(after.parameters ?? [], at.after),
      at,
    ),
    ...bodyChanges(before.requestBody, after.requestBody, inside(at, 'body')),
    ...responses,
    ...securityChanges(before, after, at),
  ]
}
