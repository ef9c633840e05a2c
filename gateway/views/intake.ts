/** Pauses of the intake as operators see them. */
import { kindNames } from '../../catalog/kind.ts'
import type { PauseRow } from '../../ledger/directory/intake.ts'
import type { Scope } from '../../ledger/orders.ts'
import { timestamp } from '../../ledger/wire.ts'
import type { Intake, IntakePause } from '../../openapi/intake.ts'

const scopeView = ({ tenantId, kind, model }: Scope) => ({
  tenant_id: tenantId,
  kind: kindNames.find((name) => name === kind) ?? null,
  model,
})

export const pauseView = (row: PauseRow): IntakePause => ({
  object: 'intake_pause',
  ...scopeView(row),
  accepted_work: row.acceptedWork,
  operator: row.operator,
  reason: row.reason,
  at: timestamp(row.at),
})

export const intakeView = (scope: Scope, pauses: readonly PauseRow[]): Intake => ({
  object: 'intake',
  ...scopeView(scope),
  pauses: pauses.map(pauseView),
})
