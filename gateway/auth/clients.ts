/** API clients: IDs and secrets. The secret itself is never stored. */
import { eq } from 'drizzle-orm'
import { toBase64url } from '../../ledger/base64.ts'
import { openDirectory } from '../../ledger/directory/open.ts'
import { clients } from '../../ledger/directory/schema.ts'
import { mintId, randomBytes } from '../../ledger/ids.ts'
import { sameText, sha256 } from '../encoding.ts'

export type ClientRow = typeof clients.$inferSelect

const SECRET_BYTES = 32

/** A new client, with the secret that is shown once. */
export async function mintClient(
  tenantId: string | null,
  name: string,
  scopes: readonly string[],
  now: number,
) {
  const secret = `gws_${toBase64url(randomBytes(SECRET_BYTES))}`
  const row: ClientRow = {
    id: mintId('client', 0, now, randomBytes),
    tenantId,
    name,
    scopes: [...scopes],
    secretHash: await sha256(secret),
    disabledAt: null,
    createdAt: now,
  }
  return { row, secret }
}

/** The client with this ID and secret; null if there is none, it is disabled, or the secret is wrong. */
export async function findClient(
  database: D1Database,
  id: string,
  secret: string,
): Promise<ClientRow | null> {
  const row = await openDirectory(database).select().from(clients).where(eq(clients.id, id)).get()
  const matches = sameText(await sha256(secret), row?.secretHash ?? (await sha256('')))
  return row && matches && row.disabledAt === null ? row : null
}
