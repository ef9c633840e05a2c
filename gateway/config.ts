/** The gateway's variables and secrets, parsed once for each isolate; a wrong one fails loudly. */
import { z } from '@hono/zod-openapi'
import type { Configured } from '../catalog/models.ts'
import { ProvidersVariable, parseVariables } from '../ledger/settings.ts'
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

const json = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text, ctx) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        ctx.addIssue({ code: 'custom', message: 'Not JSON.' })
        return z.NEVER
      }
    })
    .pipe(schema)

const Variables = z.object({
  ...guardVariables,
  PROVIDERS: ProvidersVariable,
  /** Private keys of our issuer, the signing one first; all are published. */
  SIGNING_KEYS: json(z.array(PrivateJwk).min(1)),
  KEY_ENCRYPTION_KEYS: z.string().min(1),
})

export interface Config {
  readonly baseUrl: string
  readonly guard: Guard
  readonly providers: Configured
  readonly signingKeys: readonly PrivateJwk[]
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
