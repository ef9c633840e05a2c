/** Enabling models and disabling them, each with its line in the audit log, in one D1 transaction. */
import { eq } from 'drizzle-orm'
import type { Model } from '../../catalog/models.ts'
import type { Directory } from './open.ts'
import { type Act, traces } from './operations.ts'
import { nextRevision } from './orders.ts'
import { modelEvaluations, modelStates } from './schema.ts'

export type ModelStateRow = typeof modelStates.$inferSelect

/** By what the present version of a model may take work; null where nobody has approved it. */
export type Approval = 'catalog' | 'evaluation' | 'override'

/** An approval holds for one version. It outlives a disablement: an incident says nothing about what was approved. */
export function approvalOf(
  model: Pick<Model, 'enabled' | 'version'>,
  state: ModelStateRow | undefined,
): Approval | null {
  const isOfVersion = state?.version === model.version
  if (isOfVersion && state.overridden) return 'override'
  if (isOfVersion && state.evaluationId !== null) return 'evaluation'
  return model.enabled ? 'catalog' : null
}

/** Who decides, why and when. */
export type Decision = Pick<ModelStateRow, 'operator' | 'reason' | 'at'>

/** What speaks for a version. */
export interface Ground {
  readonly evaluationId: string | null
  readonly overridden: boolean
}

/** The row of a model that takes work from now on. What approved the same version before stays beside what approves it now. */
export function enabledRow(
  { id: model, version }: Pick<Model, 'id' | 'version'>,
  before: ModelStateRow | undefined,
  ground: Ground,
  decision: Decision,
): ModelStateRow {
  const same = before?.version === version ? before : null
  const evaluationId = ground.evaluationId ?? same?.evaluationId ?? null
  const overridden = ground.overridden || same?.overridden === true
  return { model, version, enabled: true, evaluationId, overridden, ...decision }
}

/** The row of a model that takes none. */
export const disabledRow = (
  { id: model, version }: Pick<Model, 'id' | 'version'>,
  before: ModelStateRow | undefined,
  decision: Decision,
): ModelStateRow => ({
  ...(before ?? { model, version, evaluationId: null, overridden: false }),
  ...decision,
  enabled: false,
})

export const listModelStates = (directory: Directory): Promise<ModelStateRow[]> =>
  directory.select().from(modelStates)

/** Whether the evaluation is of this very version of the model, and has passed. */
export async function hasPassed(
  directory: Directory,
  id: string,
  { id: model, version }: Pick<Model, 'id' | 'version'>,
): Promise<boolean> {
  const row = await directory.select().from(modelEvaluations).where(eq(modelEvaluations.id, id)).get()
  return row?.status === 'passed' && row.candidateModel === model && row.candidateVersion === version
}

/** The audit log tells whether it was `ground.overridden`. */
export async function enableModel(
  directory: Directory,
  row: ModelStateRow,
  ground: Ground,
  act: Act,
): Promise<void> {
  const { model, ...set } = row
  await directory.batch([
    directory.insert(modelStates).values(row).onConflictDoUpdate({ target: modelStates.model, set }),
    nextRevision(directory),
    ...traces(directory, ground.overridden ? 'model.enable_override' : 'model.enable', model, act),
  ])
}

/** What approved a version, and which, stays on record. */
export async function disableModel(directory: Directory, row: ModelStateRow, act: Act): Promise<void> {
  const { model, enabled, operator, reason, at } = row
  const set = { enabled, operator, reason, at }
  await directory.batch([
    directory.insert(modelStates).values(row).onConflictDoUpdate({ target: modelStates.model, set }),
    nextRevision(directory),
    ...traces(directory, 'model.disable', model, act),
  ])
}
