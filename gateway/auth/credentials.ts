/** How a client says who it is at the token endpoint: by RFC 6749, section 2.3.1, or RFC 7523, section 2.2. */
import { ASSERTION_TYPE, claimedClient } from './assertion.ts'

export type Credentials =
  | { readonly kind: 'secret'; readonly id: string; readonly secret: string }
  | { readonly kind: 'assertion'; readonly id: string; readonly assertion: string }

/** An empty parameter is as good as none (RFC 6749, section 3.2). */
export const parameter = (form: URLSearchParams, name: string): string | null => form.get(name) || null

/** Null where there are none, or malformed ones. */
export function readCredentials(
  authorization: string | undefined,
  form: URLSearchParams,
): Credentials | 'several' | null {
  const secret = parameter(form, 'client_secret')
  const assertion = parameter(form, 'client_assertion') ?? parameter(form, 'client_assertion_type')
  if ([authorization ?? null, secret, assertion].filter((way) => way !== null).length > 1) return 'several'

  const id = parameter(form, 'client_id')
  const found = secret === null ? credentialsBeside(authorization, form) : postedCredentials(id, secret)
  if (!found || !clientId.test(found.id)) return null
  return id === null || id === found.id ? found : 'several'
}

/** RFC 6749, appendix A.1, of a length that ours have. */
const clientId = /^[\x20-\x7e]{1,128}$/

const credentialsBeside = (authorization: string | undefined, form: URLSearchParams) =>
  authorization === undefined ? assertionIn(form) : basicCredentials(authorization)

const postedCredentials = (id: string | null, secret: string): Credentials | null =>
  id === null ? null : { kind: 'secret', id, secret }

function assertionIn(form: URLSearchParams): Credentials | null {
  const assertion = parameter(form, 'client_assertion')
  if (assertion === null || form.get('client_assertion_type') !== ASSERTION_TYPE) return null
  const id = claimedClient(assertion)
  return id === null ? null : { kind: 'assertion', id, assertion }
}

/** ID and secret are form-encoded before they are joined. */
function basicCredentials(authorization: string): Credentials | null {
  const encoded = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1]
  try {
    const [, id, secret] = /^([^:]*):(.*)$/s.exec(atob(encoded ?? '')) ?? []
    return id && secret ? { kind: 'secret', id: formDecoded(id), secret: formDecoded(secret) } : null
  } catch {
    return null
  }
}

const formDecoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))
