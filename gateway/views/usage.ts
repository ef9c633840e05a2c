/** Usage as the API shows it. */
import { noUsage, type Sums, usageNames } from '../../ledger/usage-days.ts'
import type { UsageSum } from '../../ledger/usage-reports.ts'
import { usd } from '../../ledger/wire.ts'
import type { OperatorUsageReport, UsageGroupingOfAll } from '../../openapi/operator-usage.ts'
import type { UsageGrouping, UsageReport } from '../../openapi/usage.ts'

const figuresOf = ({ inputTokens, outputTokens, costMicroUsd, ...counts }: Sums) => ({
  ...counts,
  input_tokens: inputTokens,
  output_tokens: outputTokens,
  cost_usd: usd(costMicroUsd),
})

/** `20261130` as `2026-11-30`. */
const dateOf = (day: string | number) => String(day).replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')

export interface Range {
  /** Such as `2026-11-30`. */
  readonly from: string
  readonly to: string
}

const ofNone = { day: null, kind: null, model: null }

export const usageView = (grouping: UsageGrouping, range: Range, sums: readonly UsageSum[]): UsageReport =>
  reportOf(grouping, range, sums, ofNone)

export const operatorUsageView = (
  grouping: UsageGroupingOfAll,
  range: Range,
  sums: readonly UsageSum[],
): OperatorUsageReport => reportOf(grouping, range, sums, { ...ofNone, tenant_id: null })

/** `names` are those of a row's groups, of which one has a value. */
function reportOf<G extends UsageGroupingOfAll, N extends object>(
  grouping: G,
  range: Range,
  sums: readonly UsageSum[],
  names: N,
) {
  const name = grouping === 'tenant' ? 'tenant_id' : grouping
  return {
    object: 'usage' as const,
    ...range,
    group_by: grouping,
    data: sums.map(({ group, ...figures }) => ({
      ...names,
      [name]: grouping === 'day' ? dateOf(group) : group,
      ...figuresOf(figures),
    })),
    total: figuresOf(sums.reduce<Sums>(plus, noUsage)),
  }
}

/** Money too in integers, until it is shown. */
const plus = (a: Sums, b: Sums) =>
  Object.fromEntries(usageNames.map((name) => [name, a[name] + b[name]])) as unknown as Sums
