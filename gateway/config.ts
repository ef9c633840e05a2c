/** The gateway's variables and secrets, parsed once for each isolate; a wrong one fails loudly. */
import { z } from '@hono/zod-openapi'
import type { Configured } from '../catalog/models.ts'
import { jsonVariable, ProvidersVariable, parseVariables } from '../ledger/settings.ts'
import type { Guard } from '../ledger/webhooks/guard.ts'
import { guardOf, guardVariables } from '../ledger/webhooks/guard-settings.ts'

const PrivateJwk = z.looseObject({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  kid: z.string().regex(/^[A-Za-z0-9._-]{1,128}$/),
  x: z.string(),
  y: z.string(),
  d: z.string(),
})
export type PrivateJwk = z.infer<typeof PrivateJwk>

/** With `use_from`, in RFC 3339, a key is published at once and signs from then on; without, it has always signed. */
const TimedJwk = PrivateJwk.extend({ use_from: z.iso.datetime({ offset: true }).optional() })

const timed = ({ use_from, ...jwk }: z.infer<typeof TimedJwk>) => ({
  jwk,
  useFrom: use_from === undefined ? 0 : Date.parse(use_from),
})
export type SigningKey = ReturnType<typeof timed>

const SigningKeys = z
  .array(TimedJwk)
  .min(1)
  // A token names its key by `kid`.
  .refine((keys) => new Set(keys.map(({ kid }) => kid)).size === keys.length)
  .transform((keys) => keys.map(timed))

const Variables = z.object({
  ...guardVariables,
  PROVIDERS: ProvidersVariable,
  /** Private keys of our issuer: which one signs, and which are published, is a matter of their times. */
  SIGNING_KEYS: jsonVariable(SigningKeys),
  KEY_ENCRYPTION_KEYS: z.string().min(1),
})

export interface Config {
  readonly baseUrl: string
  readonly guard: Guard
  readonly providers: Configured
  readonly signingKeys: readonly SigningKey[]
  readonly keyEncryptionKeys: string
}

let parsed: { env: object; config: Config } | undefined

export function configOf(env: object): Config {
  if (parsed?.env === env) return parsed.config
  const vars = parseVariables(Variables, env)
  const config = {
    baseUrl: vars.PUBLIC_BASE_URL,
    guard: guardOf(vars),
    providers: vars.PROVIDERS,
    signingKeys: vars.SIGNING_KEYS,
    keyEncryptionKeys: vars.KEY_ENCRYPTION_KEYS,
  }
  parsed = { env, config }
  return config
}
