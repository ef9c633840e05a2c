import type { RouteConfig, z } from '@hono/zod-openapi'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkDestination } from '../ledger/webhooks/destination.ts'
import { batchItems } from '../openapi/batch-items.ts'
import { fieldErrors } from '../openapi/field-errors.ts'
import { almost } from '../test/support/conformance/almost.ts'
import { find } from '../test/support/conformance/documents.ts'
import { type Schema, valuesOf } from '../test/support/conformance/samples.ts'
import { misfits } from '../test/support/conformance/schemas.ts'
import { describedRoutes } from './documents.fixture.ts'
import { Problem } from './problem.ts'
import { checkSecrets } from './routes/webhook-endpoint-request.ts'

const SEED = 4711
const RUNS = 250

const BY_CASE = 'Names of headers are alike whatever their case, and a pattern knows no case.'
const BY_OTHER = 'What one member may be depends on another.'
const BY_RULE = 'Where a URL may lead is said by a rule, and the local run has another one.'

/** What the gateway refuses and JSON Schema cannot say: the words of the refusal, and why it cannot. */
const unsayable: Readonly<Record<string, string>> = {
  'At most 6 decimals.': 'multipleOf 0.000001 refuses amounts that have no more, as binary fractions are.',
  'The reference is there twice.': 'uniqueItems compares whole items, not one member of them.',
  'Two keys have one kid.': 'uniqueItems compares whole items, not one member of them.',
  'Must be of 2048 to 4096 bits.': 'How many bits a number has depends on its first byte, too.',
  'This header is not yours to set.': BY_CASE,
  'The header is there twice; upper and lower case make no difference.': BY_CASE,
  'Not one of the labels of the input.': BY_OTHER,
  'Not one group for each text.': BY_OTHER,
  'Needs two groups, and one of two texts, at least.': BY_OTHER,
  'The least length is above the most.': BY_OTHER,
  'The period ends before it begins.': BY_OTHER,
  'No case says what is expected, so nothing is scored.': BY_OTHER,
  'This is not a URL.': BY_RULE,
  'The URL has characters or a length that are not allowed.': BY_RULE,
  'The URL must start with https://.': BY_RULE,
  'The host is not a valid name.': BY_RULE,
}

const wordsOf = ({ error }: z.ZodSafeParseResult<unknown>) =>
  error ? fieldErrors(error.issues, () => ({ detail: '' })).map(({ detail }) => detail) : []

function ofSecrets(body: Parameters<typeof checkSecrets>[0]): string[] {
  try {
    checkSecrets(body)
    return []
  } catch (error) {
    if (error instanceof Problem) return (error.members.errors ?? []).map(({ detail }) => detail)
    throw error
  }
}

const rules = { allowLoopback: false, ownHosts: [], ownPorts: [] }

function ofUrl({ url }: { url?: string }): string[] {
  const verdict = url === undefined ? null : checkDestination(url, rules)
  return verdict && !verdict.ok ? [verdict.why] : []
}

interface Items {
  readonly kind: keyof typeof batchItems
  readonly items?: { readonly external_reference: string }[]
}

function ofItems({ kind, items = [] }: Items): string[] {
  const words = items.flatMap((item) => wordsOf(batchItems[kind].safeParse(item)))
  if (words.length > 0) return words
  const references = new Set(items.map((item) => item.external_reference))
  return references.size < items.length ? ['The reference is there twice.'] : []
}

/** What is refused of a body that its schema has taken. */
const afterwards: Readonly<Record<string, ((body: never) => string[])[]>> = {
  BatchRequest: [ofItems],
  WebhookEndpointRequest: [ofSecrets, ofUrl],
  WebhookEndpointPatch: [ofSecrets, ofUrl],
  AlertEndpointRequest: [ofSecrets, ofUrl],
  SecretRotation: [ofSecrets],
}

interface Body {
  readonly name: string
  readonly parsed: z.ZodType
  readonly described: Schema
}

const JSON_TYPE = 'application/json'

function bodyOf({ method, path, request }: RouteConfig): [string, Body][] {
  const media = request?.body?.content[JSON_TYPE] as { schema?: unknown } | undefined
  const parsed = media?.schema as z.ZodType | undefined
  const { described: operation } = find(method.toUpperCase(), path)
  const described = operation?.request.requestBody?.content[JSON_TYPE]?.schema as Schema | undefined
  // The bytes of a file are described, and not parsed.
  if (!parsed || !('safeParse' in parsed)) return []
  const name = described?.$ref?.split('/').at(-1)
  if (!described || !name) throw new Error(`The body of ${method} ${path} has no name.`)
  return [[name, { name, parsed, described }]]
}

const bodies = [...new Map(describedRoutes.flatMap(bodyOf)).values()]

function refusals({ name, parsed }: Body, value: unknown): string[] {
  const result = parsed.safeParse(value)
  if (!result.success) return wordsOf(result)
  return (afterwards[name] ?? []).flatMap((check) => check(value as never))
}

describe('a body', () => {
  it('has a name in the document', () => {
    expect(bodies.length).toBeGreaterThan(12)
  })

  it.each(bodies)('$name is refused by the gateway and by the document, or by neither', (body) => {
    let taken = 0
    const agree = fc.property(almost(valuesOf(body.described)), (value) => {
      const words = refusals(body, value)
      const faults = misfits(body.described, value)
      if (faults.length === 0 && words.length === 0) taken++
      const isAlike = faults.length === 0 ? words.every((word) => word in unsayable) : words.length > 0
      if (isAlike) return
      throw new Error(
        `The gateway: ${words.join(' ') || 'taken'}; the document: ${faults.join(' ') || 'taken'}`,
      )
    })

    fc.assert(agree, { seed: SEED, numRuns: RUNS })
    expect(taken).toBeGreaterThan(RUNS / 25)
  })
})
