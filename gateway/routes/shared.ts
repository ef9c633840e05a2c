/** What every route's description has in common. */
import type { z } from '@hono/zod-openapi'
import { location } from '../../openapi/headers.ts'
import type { Scope } from '../../openapi/tenant-words.ts'
import { UsageCsv } from '../../openapi/usage.ts'
import { forOperators, forTenants } from '../auth/authenticate.ts'
import { emptyIsAbsent, noBody } from '../body.ts'
import { idempotent, keyParameter } from '../idempotency.ts'

export const json = <T extends z.ZodType>(description: string, schema: T) => ({
  description,
  content: { 'application/json': { schema } },
})

/** The same, of something that has a URL of its own: `Location` tells it. */
export const located = <T extends z.ZodType>(description: string, schema: T) => ({
  ...json(description, schema),
  headers: location,
})

/** JSON, or its rows as a table. */
export const jsonOrCsv = <T extends z.ZodType>(description: string, schema: T) => ({
  description,
  content: {
    'application/json': { schema },
    'text/csv': { schema: UsageCsv },
  },
})

const NDJSON = 'application/x-ndjson'

/** Lines of JSON, each by the schema. To the router's types, which take any name with `json` in it for JSON, it is some content. */
export const jsonLines = <T extends z.ZodType>(
  description: string,
  schema: T,
): { description: string; content: Record<string, { schema: T }> } => ({
  description,
  content: { [NDJSON]: { schema } },
})

export const asJsonLines = { 'Content-Type': NDJSON }

export const jsonBody = <T extends z.ZodType>(schema: T) => ({
  required: true as const,
  content: { 'application/json': { schema } },
})

/** A body that may be left out: none is `{}`. */
export const optionalJsonBody = <T extends z.ZodType>(schema: T) => ({
  required: false as const,
  content: { 'application/json': { schema } },
})

/** Problems that every route of a tenant may answer with. */
export const tenantProblems = [
  'invalid-request',
  'unauthenticated',
  'insufficient-scope',
  'tenant-suspended',
  'rate-limited',
  'internal',
  'unavailable',
] as const

/** Problems that every route of an operator may answer with. */
export const operatorProblems = [
  'invalid-request',
  'unauthenticated',
  'insufficient-scope',
  'internal',
  'unavailable',
] as const

/** Problems of every route that takes a JSON body, beside one that is not valid. */
export const bodyProblems = ['payload-too-large', 'unsupported-media-type'] as const

/** Problems of every route that honours an Idempotency-Key. */
export const keyProblems = ['idempotency-key-invalid', 'idempotency-key-reused'] as const

/** A tenant's POST, which may carry an Idempotency-Key, and whose body may be left out where its description says so. */
export function keyedForTenants(scope: Scope) {
  const { security, middleware } = forTenants(scope)
  return { security, middleware: [...middleware, idempotent(false), emptyIsAbsent], ...keyParameter(false) }
}

/** The same for a POST that says all by its path. */
export function bareForTenants(scope: Scope) {
  const { middleware, ...rest } = keyedForTenants(scope)
  return { ...rest, middleware: [...middleware, noBody] }
}

/** Problems that every such POST may answer with. */
export const tenantPostProblems = [...tenantProblems, ...bodyProblems, ...keyProblems] as const

/** An operator's POST, which may carry an Idempotency-Key. */
export function keyedForOperators(scope: Scope) {
  const { security, middleware } = forOperators(scope)
  return { security, middleware: [...middleware, idempotent(false)], ...keyParameter(false) }
}

/** Problems that every such POST may answer with. */
export const operatorPostProblems = [...operatorProblems, ...bodyProblems, ...keyProblems] as const
