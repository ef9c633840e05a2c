/** Models as operators see them. */
import type { Configured, Model, ModelStates } from '../../catalog/models.ts'
import { approvalOf, type ModelStateRow } from '../../ledger/directory/model-states.ts'
import { timestamp } from '../../ledger/wire.ts'
import type { OperatorModel } from '../../openapi/model-orders.ts'
import { modelView } from './model.ts'

/** `rows`: of all models that anything was decided about. */
export function operatorModelView(
  model: Model,
  configured: Configured,
  rows: readonly ModelStateRow[],
): OperatorModel {
  const states: ModelStates = Object.fromEntries(rows.map((row) => [row.model, row]))
  const row = rows.find((one) => one.model === model.id)
  const approval = approvalOf(model, row)
  return {
    ...modelView(model, configured, states),
    configured: configured.has(model.provider),
    approved_by: approval,
    evaluation_id: approval === 'catalog' ? null : (row?.evaluationId ?? null),
    decided_by: row?.operator ?? null,
    decided_at: row ? timestamp(row.at) : null,
    reason: row?.reason ?? null,
  }
}
