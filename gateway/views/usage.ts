/** Usage as the API shows it. */
import type { UsageSum } from '../../ledger/usage-reports.ts'
import { usd } from '../../ledger/wire.ts'
import type { UsageGrouping, UsageReport } from '../../openapi/usage.ts'

type Figures = Omit<UsageSum, 'group'>

const nothing: Figures = {
  jobs: 0,
  items: 0,
  succeeded: 0,
  failed: 0,
  inputTokens: 0,
  outputTokens: 0,
  costMicroUsd: 0,
}
const names = Object.keys(nothing) as (keyof Figures)[]

const figuresOf = ({ inputTokens, outputTokens, costMicroUsd, ...counts }: Figures) => ({
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

export function usageView(grouping: UsageGrouping, range: Range, sums: readonly UsageSum[]): UsageReport {
  const named = { day: null, kind: null, model: null }
  return {
    object: 'usage',
    ...range,
    group_by: grouping,
    data: sums.map(({ group, ...figures }) => ({
      ...named,
      [grouping]: grouping === 'day' ? dateOf(group) : group,
      ...figuresOf(figures),
    })),
    total: figuresOf(sums.reduce<Figures>(plus, nothing)),
  }
}

/** Money too in integers, until it is shown. */
const plus = (a: Figures, b: Figures) =>
  Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as unknown as Figures
