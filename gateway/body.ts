/** What every JSON body must be before anything looks into it: small enough, plain UTF-8, and free of names that parsers fight over. */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { disputedName } from '../ledger/json-names.ts'
import { jsonPointer } from '../openapi/field-errors.ts'
import { utf8 } from './encoding.ts'
import { isEncoded, isOtherCharset } from './media-type.ts'
import { Problem } from './problem.ts'
import type { GatewayContext } from './router.ts'

const MEBIBYTE = 1024 * 1024
/** What a JSON body may have. */
export const MAX_JSON_BYTES = MEBIBYTE
/** What one may have that brings many items. */
export const MAX_BATCH_BYTES = 4 * MEBIBYTE
/** An escape that is one half of a character: it could not be stored as UTF-8, were the other half missing. */
const HALF = /\\u[dD][89a-fA-F]/
const REPLACED = '\uFFFD'
const BYTE_ORDER_MARK_BYTES = 3

/** Behind authentication: nobody's bytes are read before it is known whose they are. */
export const limitBody = (maxBytes: number) =>
  createMiddleware<GatewayContext>(async (c, next) => {
    if (takesNone(c)) return next()
    if (isOfUnknownLength(c)) await takeAtMost(maxBytes, c)
    else if (Number(c.req.header('Content-Length') ?? 0) > maxBytes) throw new Problem('payload-too-large')
    return next()
  })

/** What a reading request brings is no part of what it asks for (RFC 9110, section 9.3.1). */
const takesNone = ({ req }: Context<GatewayContext>) => req.method === 'GET' || req.method === 'HEAD'

const isOfUnknownLength = (c: Context<GatewayContext>) =>
  c.req.raw.body !== null &&
  (c.req.header('Transfer-Encoding') !== undefined || c.req.header('Content-Length') === undefined)

/** Beyond the limit the bytes are passed over, not left: see `passOver`. */
async function takeAtMost(maxBytes: number, c: Context<GatewayContext>): Promise<void> {
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const part of c.req.raw.body ?? []) {
      bytes += part.byteLength
      if (bytes <= maxBytes) parts.push(part)
    }
  } catch {
    cutShort()
  }
  if (bytes > maxBytes) throw new Problem('payload-too-large')
  c.req.raw = new Request(c.req.raw, { body: new Blob(parts) })
}

const cutShort = (): never => {
  throw refused('', 'The body was cut short.')
}

const PASS_OVER_MS = 15_000

/**
 * Reads the rest of a body that nobody wanted. Most clients only look for an answer once they have sent all, and meet a broken
 * connection if we answer and close before. Bounded in time, for whoever sends without end.
 */
export async function passOver({ body, bodyUsed }: Request): Promise<void> {
  if (body === null || bodyUsed) return
  const read = body.pipeTo(new WritableStream()).catch(() => undefined)
  await Promise.race([read, scheduler.wait(PASS_OVER_MS)])
}

/** RFC 8259, section 8.1. A body that is not UTF-8 would be stored with other characters than were sent. */
export const readableBody = createMiddleware<GatewayContext>(async (c, next) => {
  if (takesNone(c)) return next()
  if (isEncoded(c.req.header('Content-Encoding'))) throw encoded()
  if (isOtherCharset(c.req.header('Content-Type'))) throw new Problem('unsupported-media-type')
  const text = await c.req.text().catch(cutShort)
  if (text.includes(REPLACED) && !isWhole(text, c.req.header('Content-Length')))
    throw refused('', 'Not UTF-8.')
  const disputed = disputedName(text)
  if (disputed) throw refused(disputed.pointer, disputed.detail)
  if (HALF.test(text)) refuseHalves(text)
  return next()
})

/** RFC 9110, section 15.5.16. */
export const encoded = () =>
  new Problem('unsupported-media-type', {
    detail: 'The body is sent as it is: neither compressed nor encoded otherwise.',
    headers: { 'Accept-Encoding': 'identity' },
  })

/** For bodies that may be left out: many clients name the type of a body that they do not send. */
export const emptyIsAbsent = createMiddleware<GatewayContext>(async (c, next) => {
  if (c.req.header('Content-Type') !== undefined && (await c.req.text()) === '') {
    c.req.raw = new Request(c.req.raw, { body: '{}' })
    c.req.bodyCache = {}
  }
  return next()
})

/** For POSTs that say all by their path: whoever sends more meant something else. */
export const noBody = createMiddleware<GatewayContext>(async (c, next) => {
  const text = await c.req.text()
  if (text !== '' && !isEmptyObject(parsed(text))) throw refused('', 'This request takes no body.')
  return next()
})

const isEmptyObject = (body: unknown) =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0

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

const isHalved = ({ name, value }: Place) =>
  !name.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())

function refuseHalves(text: string): void {
  const pointer = pointerToHalf(parsed(text))
  if (pointer !== null) throw refused(pointer, 'Not well-formed Unicode: half of a surrogate pair.')
}

/** The first such place, however deep it lies; null where there is none. */
function pointerToHalf(root: unknown): string | null {
  const open: Place[] = [{ value: root, name: '', parent: null }]
  for (let place = open.pop(); place; place = open.pop()) {
    if (isHalved(place)) return pointerTo(place)
    if (typeof place.value !== 'object' || place.value === null) continue
    for (const [name, value] of Object.entries(place.value)) open.push({ value, name, parent: place })
  }
  return null
}

/** No request has anything deeper than this; what contains the place is named then. */
const DEEPEST = 32

function pointerTo(place: Place): string {
  const path: string[] = []
  for (let at = place; at.parent; at = at.parent) path.push(at.name)
  return jsonPointer(path.reverse().slice(0, DEEPEST))
}
