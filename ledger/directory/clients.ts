/** API clients in the directory, and what operators do to them. */
import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { keyWhileLiving } from './living.ts'
import type { Directory } from './open.ts'
import { type Act, traces } from './operations.ts'
import { clients } from './schema.ts'

export type ClientRow = typeof clients.$inferSelect

export const findClient = (directory: Directory, id: string): Promise<ClientRow | undefined> =>
  directory.select().from(clients).where(eq(clients.id, id)).get()

/** A tenant's, newest first; `limit + 1` rows tell the caller whether there are more. */
export const listClients = (directory: Directory, tenantId: string, after: string | null, limit: number) =>
  directory
    .select()
    .from(clients)
    .where(and(eq(clients.tenantId, tenantId), after ? lt(clients.id, after) : undefined))
    .orderBy(desc(clients.id))
    .limit(limit + 1)

/** Fails, and changes nothing, for a tenant that is being deleted. */
export async function addClient(
  directory: Directory,
  row: typeof clients.$inferInsert,
  act: Act,
): Promise<void> {
  await directory.batch([
    directory
      .insert(clients)
      .values(row.tenantId ? { ...row, id: keyWhileLiving(row.tenantId, row.id) } : row),
    ...traces(directory, 'client.create', row.id, act),
  ])
}

/** What a client has to prove who it is with from now on: one of the two. */
export type Proof = Pick<ClientRow, 'secretHash' | 'jwks'>

/** The secrets of before are taken until `until` at most; of two rotations at once neither loses one of them. */
export async function rotateClient(
  directory: Directory,
  id: string,
  proof: Proof,
  until: number,
  act: Act,
): Promise<void> {
  const formerSecrets = sql`(
    select json_group_array(json_object('hash', hash, 'until', until)) from (
      select ${clients.secretHash} as hash, ${until} as until
      union all select value ->> 'hash', min(value ->> 'until', ${until}) from json_each(${clients.formerSecrets})
    ) where hash is not null and until > ${act.at}
  )`
  await directory.batch([
    directory
      .update(clients)
      .set({ ...proof, formerSecrets })
      .where(eq(clients.id, id)),
    ...traces(directory, 'client.rotate', id, act),
  ])
}

/** For good. One that is disabled already keeps its time. */
export async function disableClient(directory: Directory, id: string, at: number, act: Act): Promise<void> {
  const disabledAt = sql`coalesce(${clients.disabledAt}, ${at})`
  await directory.batch([
    directory.update(clients).set({ disabledAt }).where(eq(clients.id, id)),
    ...traces(directory, 'client.disable', id, act),
  ])
}
