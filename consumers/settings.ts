/** The consumers' variables, parsed at each invocation; a wrong one fails loudly. */
import { z } from '@hono/zod-openapi'
import { parseVariables } from '../ledger/settings.ts'

const Variables = z.object({
  RUN_TIMEOUT_SECONDS: z
    .string()
    .regex(/^[1-9][0-9]{0,4}$/)
    .transform(Number),
})

export interface Settings {
  /** How long one attempt at a provider may take. */
  readonly runTimeoutMs: number
}

export const settingsOf = (env: object): Settings => ({
  runTimeoutMs: parseVariables(Variables, env).RUN_TIMEOUT_SECONDS * 1000,
})
