/** The first operator: the one client that no API can create, since creating clients takes an operator. */
import { mintSecret, newClient } from '../../gateway/auth/clients.ts'
import { opsScopes } from '../../openapi/tenant-words.ts'

export interface Operator {
  readonly clientId: string
  readonly clientSecret: string
  /** Inserts the client into the directory, unless it is there; holds a hash, not the secret. */
  readonly sql: string
}

export async function mintOperator(now: number): Promise<Operator> {
  const { proof, secret } = await mintSecret()
  const row = newClient(null, 'first operator', opsScopes, proof, now)
  const values = [row.id, row.name, JSON.stringify(row.scopes), row.secretHash].map((text) => `'${text}'`)
  return {
    clientId: row.id,
    clientSecret: secret,
    sql: `insert or ignore into clients (id, name, scopes, secret_hash, created_at) values (${values.join(', ')}, ${row.createdAt})`,
  }
}
