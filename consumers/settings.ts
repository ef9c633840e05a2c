/** The consumers' variables and secrets, parsed at each invocation; a wrong one fails loudly. */
import { z } from '@hono/zod-openapi'
import { parseVariables } from '../ledger/settings.ts'
import { checkDestination } from '../ledger/webhooks/destination.ts'

/** A provider is called by the rules for webhooks: over https at a public name, on this machine in the local run only. */
const isAllowed = (url: string) =>
  checkDestination(url, { allowLoopback: LOCAL_RUN, ownHosts: [], ownPorts: [] }).ok && !/[?#]/.test(url)

const count = z
  .string()
  .regex(/^[1-9][0-9]{0,4}$/)
  .transform(Number)

const Variables = z.object({
  RUN_TIMEOUT_SECONDS: count,
  GATE_PAUSE_MS: count,
  EMBEDDED_BATCH_MS: count,
  WORKFLOW_STEPS: count,
  OPENAI_BASE_URL: z
    .string()
    .default('')
    .refine((url) => url === '' || isAllowed(url)),
  OPENAI_API_KEY: z.string().default(''),
})

export interface Settings {
  /** How long one attempt at a provider may take. */
  readonly runTimeoutMs: number
  /** How long a provider's first refusal closes the gate of its model. */
  readonly gatePauseMs: number
  /** How long the embedded provider takes over a chunk of a batch. */
  readonly embeddedBatchMs: number
  /** How many steps an instance of a batch's Workflow takes before the next takes over. */
  readonly workflowSteps: number
  /** Null where not both are given. */
  readonly openai: { readonly baseUrl: string; readonly apiKey: string } | null
}

export function settingsOf(env: object): Settings {
  const vars = parseVariables(Variables, env)
  const [baseUrl, apiKey] = [vars.OPENAI_BASE_URL, vars.OPENAI_API_KEY]
  return {
    runTimeoutMs: vars.RUN_TIMEOUT_SECONDS * 1000,
    gatePauseMs: vars.GATE_PAUSE_MS,
    embeddedBatchMs: vars.EMBEDDED_BATCH_MS,
    workflowSteps: vars.WORKFLOW_STEPS,
    openai: baseUrl && apiKey ? { baseUrl, apiKey } : null,
  }
}
