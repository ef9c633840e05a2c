/** The tenants of a local run and a client of each, made through the operators' API where they are missing. */
import { type Answer, type Api, connect, requestToken } from './api.ts'
import { RunError } from './claims.ts'
import { type ClientCredentials, type KeptSecrets, keepClient } from './kept-secrets.ts'
import type { StateDir } from './state-dir.ts'

const tenants = ['acme', 'globex'] as const
/** All other limits are the defaults. */
const limits = { test_models: true }
const reason = 'local run'

export type TenantCredentials = ClientCredentials & { readonly tenant_id: string }

export async function ensureTenants(
  state: StateDir,
  baseUrl: string,
  { operator, clients }: KeptSecrets,
): Promise<TenantCredentials[]> {
  const credentials: TenantCredentials[] = []
  const connected = () =>
    connect(baseUrl, { client_id: operator.clientId, client_secret: operator.clientSecret })
  for (const tenant_id of tenants) {
    const known = clients[tenant_id]
    const client = known && (await works(baseUrl, known)) ? known : await create(await connected(), tenant_id)
    if (client !== known) keepClient(state, tenant_id, client)
    credentials.push({ tenant_id, ...client })
  }
  return credentials
}

/** Not so if the stored data was removed and the secrets were not. */
const works = async (baseUrl: string, client: ClientCredentials) =>
  (await requestToken(baseUrl, client)).status === 200

async function create(ops: Api, id: string): Promise<ClientCredentials> {
  const path = `/ops/v1/tenants/${id}`
  const { status } = await ops('GET', path)
  // A kill may have left a tenant without its ledger; changing the limits makes up for that.
  if (status === 200) expect(200, await ops('PATCH', path, { body: { limits, reason } }))
  else expect(201, await ops('POST', '/ops/v1/tenants', { body: { id, limits, reason } }))
  const answer = await ops('POST', `${path}/clients`, { body: { name: 'local run', reason } })
  const { client_id, client_secret } = expect(201, answer) as ClientCredentials
  return { client_id, client_secret }
}

function expect(status: number, answer: Answer): unknown {
  if (answer.status === status) return answer.body
  throw new RunError(`The operators' API answered ${answer.status}: ${JSON.stringify(answer.body)}`)
}
