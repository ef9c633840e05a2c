/** Usage over all tenants, or of one, as operators see it. */
import { z } from '@hono/zod-openapi'
import { openEnum } from './enums.ts'
import { TenantId } from './tenant-words.ts'
import { UsageFigures, UsageQuery, UsageReport, UsageRow, usageGroupings } from './usage.ts'

const groupings = [...usageGroupings, 'tenant'] as const
export type UsageGroupingOfAll = (typeof groupings)[number]

export const OperatorUsageQuery = z.object({
  ...UsageQuery.shape,
  tenant_id: TenantId.optional().meta({ description: 'Only that of this tenant.' }),
  group_by: z.enum(groupings).optional().meta({ default: 'day', description: 'What each row is of.' }),
})

const { day, kind, model, ...figures } = UsageRow.shape

export const OperatorUsageRow = z
  .object({
    day,
    kind,
    model,
    tenant_id: z.string().nullable().meta({ description: 'Null unless grouped by tenant.', example: null }),
    ...figures,
  })
  .meta({ id: 'OperatorUsageRow', description: 'The usage of one day, kind, model or tenant.' })

export const OperatorUsageReport = z
  .object({
    ...UsageReport.shape,
    group_by: openEnum('OperatorUsageGrouping', groupings, 'What each row is of.'),
    data: z.array(OperatorUsageRow).meta({
      description: 'In the order of days or names. Of what there was no usage, there is no row.',
    }),
    total: UsageFigures,
  })
  .meta({ id: 'OperatorUsageReport', description: 'Usage over a range of days, of all tenants or one.' })
export type OperatorUsageReport = z.infer<typeof OperatorUsageReport>
