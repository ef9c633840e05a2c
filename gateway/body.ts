/** What every JSON body must be before anything looks into it: small enough, UTF-8, and free of names that parsers fight over. */
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { jsonPointer } from '../openapi/field-errors.ts'
import { utf8 } from './encoding.ts'
import { isOtherCharset } from './media-type.ts'
import { Problem } from './problem.ts'
import type { GatewayContext } from './router.ts'

const MEBIBYTE = 1024 * 1024
/** What a JSON body may have. */
export const MAX_JSON_BYTES = MEBIBYTE
/** What one may have that brings many items. */
export const MAX_BATCH_BYTES = 4 * MEBIBYTE
const POISONED = '__proto__'
const REPLACED = '\uFFFD'
const BYTE_ORDER_MARK_BYTES = 3

/** Behind authentication: nobody's bytes are read before it is known whose they are. */
export const limitBody = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw new Problem('payload-too-large')
    },
  })

/** RFC 8259, section 8.1. A body that is not UTF-8 would be stored with other characters than were sent. */
export const readableBody = createMiddleware<GatewayContext>(async (c, next) => {
  if (isOtherCharset(c.req.header('Content-Type'))) throw new Problem('unsupported-media-type')
  const text = await c.req.text()
  if (text.includes(REPLACED) && !isWhole(text, c.req.header('Content-Length')))
    throw refused('', 'Not UTF-8.')
  const pointer = text.includes(POISONED) ? poisonedPointer(parsed(text)) : null
  if (pointer !== null) throw refused(pointer, 'This name is not allowed.')
  return next()
})

/** For bodies that may be left out: many clients name the type of a body that they do not send. */
export const emptyIsAbsent = createMiddleware<GatewayContext>(async (c, next) => {
  if (c.req.header('Content-Type') !== undefined && (await c.req.text()) === '') {
    c.req.raw = new Request(c.req.raw, { body: '{}' })
    c.req.bodyCache = {}
  }
  return next()
})

const refused = (pointer: string, detail: string) =>
  new Problem('invalid-request', {
    detail: 'The body cannot be taken as it is.',
    errors: [{ pointer, detail }],
  })

/**
 * Reading puts a character of three bytes in the place of what is not UTF-8, so the length tells whether that happened (all but a
 * four-byte character that lost its last byte, which has that length too).
 * A text that holds the character by itself has its length; without a Content-Length there is no telling, and it is refused.
 */
function isWhole(text: string, contentLength: string | undefined): boolean {
  const bytes = utf8(text).byteLength
  return [bytes, bytes + BYTE_ORDER_MARK_BYTES].includes(Number(contentLength))
}

/** Malformed JSON is the validator's to refuse. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

interface Place {
  readonly value: unknown
  readonly name: string
  readonly parent: Place | null
}

/** Where an object has a member of that name, which libraries drop without a word; null where none has. However deep it lies. */
function poisonedPointer(root: unknown): string | null {
  const open: Place[] = [{ value: root, name: '', parent: null }]
  for (let place = open.pop(); place; place = open.pop()) {
    if (place.name === POISONED) return pointerTo(place)
    if (typeof place.value !== 'object' || place.value === null) continue
    for (const [name, value] of Object.entries(place.value)) open.push({ value, name, parent: place })
  }
  return null
}

function pointerTo(place: Place): string {
  const path: string[] = []
  for (let at = place; at.parent; at = at.parent) path.unshift(at.name)
  return jsonPointer(path)
}
