/**
 * Usage over all tenants, or of one: what the ledgers told of their days, added up here by day, kind, model or tenant. An index leads to
 * the days or the tenant that are asked for; what is read is a row for each ledger and day on which it did anything.
 */
import { z } from '@hono/zod-openapi'
import { type SQL, sql } from 'drizzle-orm'
import type { UsageGroupingOfAll } from '../../openapi/operator-usage.ts'
import { type Sums, snakeCase, usageNames } from '../usage-days.ts'
import type { UsageRange, UsageSum } from '../usage-reports.ts'
import type { Directory } from './open.ts'
import { usageDays } from './schema.ts'

const groups: Record<UsageGroupingOfAll, SQL> = {
  day: sql`${usageDays.day}`,
  tenant: sql`${usageDays.tenantId}`,
  kind: sql`entry.value ->> 'kind'`,
  model: sql`entry.value ->> 'model'`,
}

const figures = Object.fromEntries(usageNames.map((name) => [name, z.int()])) as Record<keyof Sums, z.ZodInt>
const Rows = z.array(z.object({ group: z.union([z.string(), z.int()]), ...figures }))

const sums = sql.join(
  usageNames.map((name) => sql.raw(`sum(entry.value ->> '${snakeCase(name)}') as "${name}"`)),
  sql`, `,
)

/** In the order of their groups. */
export async function usageOver(
  directory: Directory,
  grouping: UsageGroupingOfAll,
  { from, to }: UsageRange,
  tenantId: string | undefined,
): Promise<UsageSum[]> {
  const ofTenant = tenantId === undefined ? sql`` : sql`and ${usageDays.tenantId} = ${tenantId}`
  return Rows.parse(
    await directory.all(sql`
      select ${groups[grouping]} as "group", ${sums}
        from ${usageDays}, json_each(${usageDays.figures}) entry
        where ${usageDays.day} between ${from} and ${to} ${ofTenant}
        group by 1 order by 1`),
  )
}
