/** Issuers other than our own, in the directory: registered and removed by operators, their keys kept for all isolates. */
import { and, desc, eq, lt, lte } from 'drizzle-orm'
import { keyWhileLiving } from './living.ts'
import type { Directory } from './open.ts'
import { type Act, traces } from './operations.ts'
import { issuers } from './schema.ts'

export type IssuerRow = typeof issuers.$inferSelect

/** Throws, and changes nothing, if the issuer is registered already, or the tenant is being deleted. */
export async function addIssuer(directory: Directory, row: IssuerRow, act: Act): Promise<void> {
  await directory.batch([
    directory.insert(issuers).values({ ...row, id: keyWhileLiving(row.tenantId, row.id) }),
    ...traces(directory, 'issuer.create', row.issuer, act),
  ])
}

/** The audit log goes on telling which issuer it was. */
export async function removeIssuer(directory: Directory, { id, issuer }: IssuerRow, act: Act): Promise<void> {
  await directory.batch([
    directory.delete(issuers).where(eq(issuers.id, id)),
    ...traces(directory, 'issuer.delete', issuer, act),
  ])
}

export const findIssuer = (directory: Directory, tenantId: string, id: string) =>
  directory
    .select()
    .from(issuers)
    .where(and(eq(issuers.tenantId, tenantId), eq(issuers.id, id)))
    .get()

/** By the name that its tokens carry. */
export const findIssuerNamed = (directory: Directory, issuer: string) =>
  directory.select().from(issuers).where(eq(issuers.issuer, issuer)).get()

/** Newest first; `limit + 1` rows tell the caller whether there are more. */
export const listIssuers = (directory: Directory, tenantId: string, after: string | null, limit: number) =>
  directory
    .select()
    .from(issuers)
    .where(and(eq(issuers.tenantId, tenantId), after ? lt(issuers.id, after) : undefined))
    .orderBy(desc(issuers.id))
    .limit(limit + 1)

/** Whether it is for the caller to read the issuer's keys now; if so, for nobody else until then. */
export async function claimReading(
  directory: Directory,
  id: string,
  now: number,
  until: number,
): Promise<boolean> {
  const claimed = await directory
    .update(issuers)
    .set({ claimedUntil: until })
    .where(and(eq(issuers.id, id), lte(issuers.nextReadAt, now), lte(issuers.claimedUntil, now)))
    .returning({ id: issuers.id })
  return claimed.length > 0
}

/** What a reading of the keys came to. */
export async function noteReading(
  directory: Directory,
  id: string,
  reading: Partial<IssuerRow>,
): Promise<void> {
  await directory.update(issuers).set(reading).where(eq(issuers.id, id))
}
