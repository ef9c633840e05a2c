/** API clients as operators see them: never a secret, but for the one that was made just now. */
import type { ClientRow } from '../../ledger/directory/clients.ts'
import { nullableTimestamp, timestamp } from '../../ledger/wire.ts'
import type { Client, ClientWithSecret } from '../../openapi/clients.ts'
import { validFormerSecrets } from '../auth/clients.ts'

const fieldsOf = (row: ClientRow) => ({
  client_id: row.id,
  object: 'client' as const,
  tenant_id: row.tenantId,
  name: row.name,
  scopes: row.scopes,
  jwks: row.jwks,
  created_at: timestamp(row.createdAt),
})

export function clientView(row: ClientRow, now: number): Client {
  const ends = validFormerSecrets(row, now).map(({ until }) => until)
  return {
    ...fieldsOf(row),
    former_secrets_until: ends.length === 0 ? null : timestamp(Math.max(...ends)),
    disabled_at: nullableTimestamp(row.disabledAt),
  }
}

export const clientWithSecret = (row: ClientRow, secret: string | null): ClientWithSecret => ({
  ...fieldsOf(row),
  client_secret: secret,
})
