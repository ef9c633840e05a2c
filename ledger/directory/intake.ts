/** Pausing the intake and resuming it, each with its line in the audit log, in one D1 transaction. */
import { desc, eq, lt } from 'drizzle-orm'
import type { AcceptedWork } from '../../openapi/intake.ts'
import { meet, type Scope } from '../orders.ts'
import { keyWhileLiving } from './living.ts'
import type { Directory } from './open.ts'
import { type Act, traces } from './operations.ts'
import { nextRevision } from './orders.ts'
import { intakePauses } from './schema.ts'

export type PauseRow = typeof intakePauses.$inferSelect

const idOf = ({ tenantId, kind, model }: Scope) => JSON.stringify([tenantId, kind, model])

/** The pause that an order comes to. */
export const pauseRow = (
  scope: Scope,
  acceptedWork: AcceptedWork,
  by: Pick<Act, 'operator' | 'reason' | 'at'>,
): PauseRow => ({ id: idOf(scope), ...scope, acceptedWork, ...by })

/** One for each scope: a second one takes the place of the first. Fails, and changes nothing, for a tenant that is being deleted. */
export async function pauseIntake(directory: Directory, row: PauseRow, act: Act): Promise<void> {
  const { id, ...set } = row
  const values = { ...set, id: row.tenantId === null ? id : keyWhileLiving(row.tenantId, id) }
  await directory.batch([
    directory.insert(intakePauses).values(values).onConflictDoUpdate({ target: intakePauses.id, set }),
    nextRevision(directory),
    ...traces(directory, 'intake.pause', row.id, act),
  ])
}

/** Where there is no such pause nothing changes. */
export async function resumeIntake(directory: Directory, scope: Scope, act: Act): Promise<void> {
  const id = idOf(scope)
  await directory.batch([
    directory.delete(intakePauses).where(eq(intakePauses.id, id)),
    nextRevision(directory),
    ...traces(directory, 'intake.resume', id, act),
  ])
}

export const findPause = (directory: Directory, scope: Scope): Promise<PauseRow | undefined> =>
  directory
    .select()
    .from(intakePauses)
    .where(eq(intakePauses.id, idOf(scope)))
    .get()

/** In force for any work of the scope. */
export async function pausesOver(directory: Directory, scope: Scope): Promise<PauseRow[]> {
  const all = await directory.select().from(intakePauses).orderBy(desc(intakePauses.id))
  return all.filter((pause) => meet(pause, scope))
}

/** In the reverse order of their scopes; `limit + 1` rows tell the caller whether there are more. */
export const listPauses = (directory: Directory, after: string | null, limit: number): Promise<PauseRow[]> =>
  directory
    .select()
    .from(intakePauses)
    .where(after === null ? undefined : lt(intakePauses.id, after))
    .orderBy(desc(intakePauses.id))
    .limit(limit + 1)
