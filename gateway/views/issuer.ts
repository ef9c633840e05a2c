/** An issuer as operators see it. */
import type { z } from '@hono/zod-openapi'
import type { IssuerRow } from '../../ledger/directory/issuers.ts'
import { timestamp } from '../../ledger/wire.ts'
import type { Issuer } from '../../openapi/issuers.ts'

export const issuerView = (row: IssuerRow, ownAudience: string): z.infer<typeof Issuer> => ({
  id: row.id,
  object: 'issuer',
  tenant_id: row.tenantId,
  issuer: row.issuer,
  audience: row.audience ?? ownAudience,
  scopes: row.scopes,
  key_ids: row.keys.map(({ kid }) => kid),
  keys_read_at: row.keysReadAt === null ? null : timestamp(row.keysReadAt),
  keys_error: row.keysError,
  created_at: timestamp(row.createdAt),
})
