/** The verification report of a batch as the API shows it. */
import { isBatchOver } from '../../ledger/batches/batch.ts'
import { durationMs, errorCount, modelVersions, reportChecks } from '../../ledger/batches/report.ts'
import type { ReportMaterial } from '../../ledger/batches/snapshots.ts'
import type { BatchReport } from '../../openapi/batch-contents.ts'

export const reportView = ({
  batch,
  items,
  chunks,
  errorClasses,
  lineErrors,
}: ReportMaterial): BatchReport => ({
  id: batch.id,
  object: 'batch_report',
  status: batch.status,
  checks: isBatchOver(batch.status) ? reportChecks({ ...batch, items }, chunks) : [],
  errors: lineErrors,
  error_count: errorCount(batch),
  error_classes: errorClasses,
  duration_ms: durationMs(batch),
  model_versions: modelVersions(chunks),
})
