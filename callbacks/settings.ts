/** The callback Worker's variables and secrets. */
import { z } from '@hono/zod-openapi'
import { parseVariables } from '../ledger/settings.ts'
import type { Guard } from '../ledger/webhooks/guard.ts'
import { guardOf, guardVariables } from '../ledger/webhooks/guard-settings.ts'

const Variables = z.object({
  ...guardVariables,
  KEY_ENCRYPTION_KEYS: z.string().min(1),
})

export interface Settings {
  readonly guard: Guard
  readonly keyEncryptionKeys: string
}

export function settingsOf(env: object): Settings {
  const vars = parseVariables(Variables, env)
  return { guard: guardOf(vars), keyEncryptionKeys: vars.KEY_ENCRYPTION_KEYS }
}
