/** What a local run takes from its caller's environment, and nothing else. */
import { RunError } from './claims.ts'

const names = [
  'ALLOW_LOOPBACK_WEBHOOKS',
  'OWN_HOSTS',
  'DNS_RESOLVER_URL',
  'LEASE_SECONDS',
  'RETRY_BASE_MS',
  'RETRY_CAP_MS',
  'SWEEP_SECONDS',
  'ROLL_UP_SECONDS',
  'BATCH_POLL_MS',
  'BATCH_POLL_CAP_MS',
  'BATCH_STALLED_SECONDS',
  'BATCH_GRACE_SECONDS',
  'RUN_TIMEOUT_SECONDS',
  'DELETION_GRACE_SECONDS',
  'DELETION_QUIET_SECONDS',
  'GATE_PAUSE_MS',
  'EMBEDDED_BATCH_MS',
  'WORKFLOW_STEPS',
]
const DEFAULT_PORT = '8787'

type Environment = Readonly<Record<string, string | undefined>>

/** Variables for the Workers; for one that is not set, their configuration's value holds. */
export function settingsFrom(environment: Environment): Record<string, string> {
  const given = names.flatMap((name) => {
    const value = environment[name]
    return value === undefined ? [] : [[name, value]]
  })
  return { ...Object.fromEntries(given), ...openaiFrom(environment) }
}

/** Both or nothing: what it takes to call OpenAI, or a server that speaks like it. */
function openaiFrom({ OPENAI_BASE_URL, OPENAI_API_KEY }: Environment): Record<string, string> {
  if (!OPENAI_BASE_URL || !OPENAI_API_KEY) return {}
  return { OPENAI_BASE_URL, OPENAI_API_KEY, PROVIDERS: 'embedded,test,openai' }
}

/** 0 is any free port. */
export function portFrom({ PORT = DEFAULT_PORT }: Environment): number {
  const port = /^\d{1,5}$/.test(PORT) ? Number(PORT) : Number.NaN
  if (port <= 65_535) return port
  throw new RunError(`PORT must be a number up to 65535, not "${PORT}".`)
}
