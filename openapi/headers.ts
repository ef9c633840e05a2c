/** The headers of answers: what they mean, and which answers have them. */
import type { Operation, Response } from './operation.ts'
import { parameterNames } from './operation.ts'

const text = { type: 'string' as const }
const seconds = { type: 'string' as const, pattern: '^[0-9]+$' }

export const headerComponents = {
  XRequestId: {
    description: 'Names this request: your own `X-Request-Id`, or a fresh one.',
    schema: text,
    example: '7c1f4a52-93b0-4d5e-8a16-2f0c9be7d341',
  },
  Location: {
    description: 'The URL of what was created.',
    schema: { type: 'string' as const, format: 'uri' },
  },
  RetryAfter: { description: 'Seconds after which to come again.', schema: seconds, example: '2' },
  RateLimitPolicy: {
    description: 'How many requests (`q`) the plan allows in how many seconds (`w`).',
    schema: text,
    example: '"requests";q=6000;w=60',
  },
  RateLimit: {
    description: 'How many requests (`r`) may be made in the next `t` seconds.',
    schema: text,
    example: '"requests";r=5987;t=41',
  },
  ETag: {
    description: 'For `If-None-Match`: another one when the answer would be another.',
    schema: text,
    example: 'W/"3-ended"',
  },
  IdempotencyReplayed: {
    description: 'There when this is the first answer under the key once more: nothing was done this time.',
    schema: { type: 'string' as const, enum: ['true'] },
    example: 'true',
  },
  PreferenceApplied: {
    description: 'There when the answer was ready to wait.',
    schema: text,
    example: 'wait=20',
  },
  WWWAuthenticate: {
    description: 'What is wrong with the credentials (RFC 6750, section 3).',
    schema: text,
    example: 'Bearer realm="async-ai-gateway", error="invalid_token"',
  },
}
type HeaderName = keyof typeof headerComponents

const fieldNames: Record<HeaderName, string> = {
  XRequestId: 'X-Request-Id',
  Location: 'Location',
  RetryAfter: 'Retry-After',
  RateLimitPolicy: 'RateLimit-Policy',
  RateLimit: 'RateLimit',
  ETag: 'ETag',
  IdempotencyReplayed: 'Idempotency-Replayed',
  PreferenceApplied: 'Preference-Applied',
  WWWAuthenticate: 'WWW-Authenticate',
}

const refs = (...names: HeaderName[]) =>
  Object.fromEntries(names.map((name) => [fieldNames[name], { $ref: `#/components/headers/${name}` }]))

/** For a route whose answer names what was created. */
export const location = refs('Location')

const isLate = new Set(['409', '429', '503'])

/** What an answer has besides what its route says: it follows from the status, and from what the operation takes. */
export function headersOf(operation: Operation, status: string, response: Response) {
  const succeeds = status.startsWith('2') || status === '304'
  const takes = parameterNames(operation)
  const names: HeaderName[] = ['XRequestId']
  if (isOfTenants(operation) && status !== '401') names.push('RateLimitPolicy', 'RateLimit')
  if (succeeds && '304' in operation.responses) names.push('ETag', 'RetryAfter')
  if (status.startsWith('2') && takes.includes('Idempotency-Key')) names.push('IdempotencyReplayed')
  if (succeeds && takes.includes('Prefer')) names.push('PreferenceApplied')
  if (status === '401' || status === '403') names.push('WWWAuthenticate')
  if (isLate.has(status)) names.push('RetryAfter')
  return { ...refs(...names), ...response.headers }
}

const isOfTenants = ({ security = [] }: Operation) =>
  security.some((schemes) => schemes.oauth2?.some((scope) => !scope.startsWith('ops:')))
