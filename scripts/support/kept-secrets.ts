/** The secrets of a state directory: made once, and kept in a file of the owner's so that a restart has the same. */
import { mintOperator, type Operator } from './operator.ts'
import { type LocalSecrets, localSecrets } from './secrets.ts'
import { readJson, type StateDir, writeJson } from './state-dir.ts'

export interface ClientCredentials {
  readonly client_id: string
  readonly client_secret: string
}

export interface KeptSecrets extends LocalSecrets {
  readonly operator: Operator
  /** By tenant. */
  readonly clients: Record<string, ClientCredentials>
}

export function readSecrets(state: StateDir): KeptSecrets {
  const kept = readJson(state.secrets) as KeptSecrets | null
  if (!kept) throw new Error(`${state.secrets} is missing.`)
  return kept
}

export async function loadSecrets(state: StateDir): Promise<KeptSecrets> {
  if (!readJson(state.secrets)) {
    const operator = await mintOperator(Date.now())
    writeJson(state.secrets, { ...(await localSecrets()), operator, clients: {} } satisfies KeptSecrets)
  }
  return readSecrets(state)
}

export function keepClient(state: StateDir, tenantId: string, credentials: ClientCredentials): void {
  const kept = readSecrets(state)
  writeJson(state.secrets, { ...kept, clients: { ...kept.clients, [tenantId]: credentials } })
}
