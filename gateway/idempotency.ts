/** The Idempotency-Key header and the request's fingerprint. */

import canonicalize from 'canonicalize'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { sha256 } from './encoding.ts'
import { Problem } from './problem.ts'
import type { GatewayContext, IdempotencyKey } from './router.ts'

const bare = /^[A-Za-z0-9._~:-]{1,255}$/
const quoted = /^"([A-Za-z0-9._~:-]{1,255})"$/

/** `"k"` (a structured field, as the IETF draft has it) and `k` (as most clients send it) are one key; null is none of both. */
export function parseIdempotencyKey(header: string): string | null {
  return quoted.exec(header)?.[1] ?? bare.exec(header)?.[0] ?? null
}

/** The header in the document. `idempotent` checks it; a schema of the router's would only do so a second time. */
export const keyParameter = (required: boolean) => ({
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header' as const,
      required,
      description: [
        'Names the work, so that a request that is sent again does it once: a fresh value for new work, the same one for a retry. 1 to 255',
        'characters of letters, digits and `. _ ~ : -`; bare or in double quotes.',
      ].join('\n'),
      schema: { type: 'string' as const, pattern: `${bare.source}|${quoted.source}` },
      example: '5f0c9b1e-6f0a-4c2e-9f43-2f6d3a0f7a10',
    },
  ],
})

/** Reads the key, and refuses a missing or malformed one before the body is looked at. */
export const idempotent = (required: boolean) =>
  createMiddleware<GatewayContext>(async (c, next) => {
    const header = c.req.header('Idempotency-Key')
    if (header === undefined && required) throw new Problem('idempotency-key-required')
    if (header !== undefined && parseIdempotencyKey(header) === null)
      throw new Problem('idempotency-key-invalid')
    return next()
  })

/** The key of this request, scoped to client, method and path, with the fingerprint of query and body; null without a header. */
export async function requestKey(c: Context<GatewayContext>): Promise<IdempotencyKey | null> {
  return keyWith(c, async () => canonicalBody(await c.req.text()))
}

/** The key of an upload, whose body is its bytes' SHA-256. */
export const uploadKey = (c: Context<GatewayContext>, sha256Hex: string) => keyWith(c, async () => sha256Hex)

async function keyWith(
  c: Context<GatewayContext>,
  body: () => Promise<string | undefined>,
): Promise<IdempotencyKey | null> {
  const key = parseIdempotencyKey(c.req.header('Idempotency-Key') ?? '')
  if (key === null) return null
  const { search } = new URL(c.req.url)
  const content = await body()
  const [hash, fingerprint] = await Promise.all([
    sha256(JSON.stringify([c.var.principal.clientId, c.req.method, c.req.path, key])),
    sha256(`${search}\n${content}`),
  ])
  return { hash, fingerprint }
}

/** RFC 8785; an absent body is `{}`. */
function canonicalBody(text: string): string | undefined {
  try {
    return canonicalize(text === '' ? {} : JSON.parse(text))
  } catch {
    throw new Problem('invalid-request', {
      detail: 'The body cannot be taken as it is.',
      errors: [notCanonical],
    })
  }
}

const notCanonical = { pointer: '', detail: 'Not JSON, or with a text that is not well-formed Unicode.' }
