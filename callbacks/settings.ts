/** The callback Worker's variables and secrets. */
import { z } from '@hono/zod-openapi'
import type { DestinationRules } from '../ledger/destination.ts'
import { parseVariables } from '../ledger/settings.ts'

const Variables = z.object({
  PUBLIC_BASE_URL: z.url(),
  ALLOW_LOOPBACK_WEBHOOKS: z.enum(['0', '1']),
  KEY_ENCRYPTION_KEYS: z.string().min(1),
})

export interface Settings {
  readonly rules: DestinationRules
  readonly keyEncryptionKeys: string
}

export function settingsOf(env: object): Settings {
  const vars = parseVariables(Variables, env)
  const allowLoopback = LOCAL_RUN && vars.ALLOW_LOOPBACK_WEBHOOKS === '1'
  const ownHosts = [new URL(vars.PUBLIC_BASE_URL).hostname]
  return { rules: { allowLoopback, ownHosts }, keyEncryptionKeys: vars.KEY_ENCRYPTION_KEYS }
}
