/** What operators watch: metrics, usage, the audit log. */
import type { AuditEntryPage } from '../audit-log.ts'
import type { Metrics } from '../metrics.ts'
import type { OperatorUsageReport } from '../operator-usage.ts'
import { usageFiguresExample } from './account.ts'
import { type Examples, ids, lastPage, TENANT, times } from './example.ts'

export const monitoringExamples: {
  Metrics: Examples<typeof Metrics>
  OperatorUsageReport: Examples<typeof OperatorUsageReport>
  AuditEntryPage: Examples<typeof AuditEntryPage>
} = {
  Metrics: {
    scrape: {
      summary: 'Two of the families',
      value: `# TYPE gateway_jobs counter
# HELP gateway_jobs Jobs by what became of them; accepted are all of them.
gateway_jobs_total{kind="summarize",model="embedded/extract-1",status="accepted"} 128
gateway_jobs_total{kind="summarize",model="embedded/extract-1",status="succeeded"} 127
# TYPE gateway_jobs_oldest_waiting_seconds gauge
# UNIT gateway_jobs_oldest_waiting_seconds seconds
# HELP gateway_jobs_oldest_waiting_seconds Age of the oldest job that waits; 0 if none does.
gateway_jobs_oldest_waiting_seconds 0.412
# EOF
`,
    },
  },
  OperatorUsageReport: {
    by_tenant: {
      summary: 'By tenant',
      value: {
        object: 'usage',
        from: '2026-11-01',
        to: '2026-11-29',
        group_by: 'tenant',
        data: [{ day: null, kind: null, model: null, tenant_id: TENANT, ...usageFiguresExample }],
        total: usageFiguresExample,
      },
    },
  },
  AuditEntryPage: {
    page: {
      summary: 'The only page',
      value: {
        data: [
          {
            id: '412',
            object: 'audit_entry',
            created_at: times.created,
            operator: ids.client,
            action: 'tenant.change_limits',
            target: TENANT,
            reason: 'They moved to the larger plan.',
          },
        ],
        ...lastPage,
      },
    },
  },
}
