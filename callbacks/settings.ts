/** The callback Worker's variables and secrets. */
import { z } from '@hono/zod-openapi'
import { parseVariables } from '../ledger/settings.ts'
import { type Guard, makeGuard } from '../ledger/webhooks/guard.ts'

const Variables = z.object({
  PUBLIC_BASE_URL: z.url(),
  ALLOW_LOOPBACK_WEBHOOKS: z.enum(['0', '1']),
  KEY_ENCRYPTION_KEYS: z.string().min(1),
})

export interface Settings {
  readonly guard: Guard
  readonly keyEncryptionKeys: string
}

export function settingsOf(env: object): Settings {
  const vars = parseVariables(Variables, env)
  const allowLoopback = LOCAL_RUN && vars.ALLOW_LOOPBACK_WEBHOOKS === '1'
  const ownHosts = [new URL(vars.PUBLIC_BASE_URL).hostname]
  return { guard: makeGuard({ allowLoopback, ownHosts }), keyEncryptionKeys: vars.KEY_ENCRYPTION_KEYS }
}
