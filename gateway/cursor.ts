/**
 * Cursors: opaque, and bound to tenant, filter and where they lead, so that one from elsewhere, or one that was changed, is refused instead of
 * misread. It is no secret: who makes one up to fit gets a page of the same list.
 */
import { fromBase64url, toBase64url } from '../ledger/base64.ts'
import type { FieldError } from '../openapi/common.ts'
import { sha256, utf8 } from './encoding.ts'
import { Problem } from './problem.ts'

const BINDING_LENGTH = 16
const shape = new RegExp(`^([A-Za-z0-9_-]{${BINDING_LENGTH}})\\.([A-Za-z0-9_-]+)$`)

type Place = Pick<FieldError, 'parameter' | 'pointer'>

/** What a cursor belongs to: whose list, which list, filtered how. `limit` may change from page to page. */
export type CursorScope = readonly (string | Record<string, string | undefined> | null)[]

const bindingOf = async (scope: CursorScope, after: string) =>
  (await sha256(JSON.stringify([scope, after]))).slice(0, BINDING_LENGTH)

export async function encodeCursor(scope: CursorScope, after: string | null): Promise<string | null> {
  if (after === null) return null
  const encoded = toBase64url(utf8(after))
  return `${await bindingOf(scope, encoded)}.${encoded}`
}

const inQuery = { parameter: 'cursor' }

/** The ID after which the page starts; null without a cursor. Throws the problem for a cursor that is not of this list, and stood at `place`. */
export async function decodeCursor(
  scope: CursorScope,
  cursor: string | undefined,
  place: Place = inQuery,
): Promise<string | null> {
  if (cursor === undefined) return null
  const [, binding, after] = shape.exec(cursor) ?? []
  if (!after || binding !== (await bindingOf(scope, after))) throw badCursor(place)
  try {
    return new TextDecoder().decode(fromBase64url(after))
  } catch {
    throw badCursor(place)
  }
}

/** A place in a list whose places are numbers. */
export function numberOf(after: string | null): number | null {
  if (after === null) return null
  if (!/^\d{1,15}$/.test(after)) throw badCursor()
  return Number(after)
}

export const badCursor = (place: Place = inQuery) =>
  new Problem('invalid-request', {
    detail: 'The cursor does not belong to this list.',
    errors: [{ ...place, detail: 'Not a cursor of this list with this filter.' }],
  })
