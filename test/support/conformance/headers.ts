/** Headers that every answer has, or that mean the same wherever they come. */
import { parseList } from 'structured-headers'
import type { Exchange } from './exchange.ts'

type Rule = (value: string | null, exchange: Exchange) => boolean

const isOfTenants = ({ url }: Exchange) => /^\/(ops\/)?v1\//.test(url.pathname)
const isAbsolute = (value: string) => URL.canParse(value)

/** For each header, when its value, or its absence, is right. */
const rules: Record<string, Rule> = {
  'X-Request-Id': (value) => /^[A-Za-z0-9._-]{1,128}$/.test(value ?? ''),
  'X-Content-Type-Options': (value) => value === 'nosniff',
  'Cache-Control': (value, exchange) => !isOfTenants(exchange) || value === 'no-store',
  'Retry-After': (value, { status }) => (value === null ? status !== 503 : /^\d{1,9}$/.test(value)),
  Allow: (value, { status }) => (value === null ? status !== 405 : /^[A-Z]+(, [A-Z]+)*$/.test(value)),
  'WWW-Authenticate': (value, exchange) =>
    value === null ? exchange.status !== 401 || !isOfTenants(exchange) : /^(Bearer|Basic) /.test(value),
  Location: (value, { status }) => (value === null ? status !== 201 : isAbsolute(value)),
  ETag: (value) => value === null || /^(W\/)?"[!#-~]*"$/.test(value),
  'Idempotency-Replayed': (value) => value === null || value === 'true',
  'RateLimit-Policy': (value) => value === null || isRate(value, ['q', 'w']),
  RateLimit: (value, { headers }) =>
    value === null ? !headers.has('RateLimit-Policy') : isRate(value, ['r', 't']),
}

export const generalFaults = (exchange: Exchange): string[] =>
  Object.entries(rules).flatMap(([name, isRight]) => {
    const value = exchange.headers.get(name)
    return isRight(value, exchange) ? [] : [`The header ${name} is ${value === null ? 'missing' : value}.`]
  })

/** A list of structured items (RFC 9651), each a name with whole numbers. */
function isRate(value: string, parameters: readonly string[]): boolean {
  try {
    const list = parseList(value)
    return (
      list.length > 0 &&
      list.every(([item, given]) => typeof item === 'string' && hasCounts(given, parameters))
    )
  } catch {
    return false
  }
}

const hasCounts = (given: unknown, names: readonly string[]) =>
  given instanceof Map && names.every((name) => Number.isInteger(given.get(name)) && given.get(name) >= 0)
