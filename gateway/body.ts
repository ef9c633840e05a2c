/** What every JSON body must be before anything looks into it: small enough, UTF-8, and free of names that parsers fight over. */
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { jsonPointer, Problem } from './problem.ts'
import type { GatewayContext } from './router.ts'

const MAX_JSON_BYTES = 1024 * 1024
const POISONED = '__proto__'

/** Behind authentication: nobody's bytes are read before it is known whose they are. */
export const limitBody = bodyLimit({
  maxSize: MAX_JSON_BYTES,
  onError: () => {
    throw new Problem('payload-too-large')
  },
})

/** RFC 8259, section 8.1. A body that is not UTF-8 would be stored with other characters than were sent. */
export const readableBody = createMiddleware<GatewayContext>(async (c, next) => {
  const charset = /charset="?([^";]+)/i.exec(c.req.header('Content-Type') ?? '')?.[1]?.trim()
  if (charset && charset.toLowerCase() !== 'utf-8') throw new Problem('unsupported-media-type')
  const text = decoded(await c.req.arrayBuffer())
  const pointer = text.includes(POISONED) ? poisonedPointer(parsed(text), []) : null
  if (pointer !== null) throw refused(pointer, 'This name is not allowed.')
  return next()
})

const refused = (pointer: string, detail: string) =>
  new Problem('invalid-request', {
    detail: 'The body cannot be taken as it is.',
    errors: [{ pointer, detail }],
  })

function decoded(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw refused('', 'Not UTF-8.')
  }
}

/** Malformed JSON is the validator's to refuse. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Where an object has a member of that name, which libraries drop without a word; null where none has. */
function poisonedPointer(value: unknown, path: string[]): string | null {
  if (typeof value !== 'object' || value === null) return null
  for (const [name, member] of Object.entries(value)) {
    const here = [...path, name]
    if (name === POISONED) return jsonPointer(here)
    const below = poisonedPointer(member, here)
    if (below !== null) return below
  }
  return null
}
