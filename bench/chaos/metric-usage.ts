/** What metrics and usage both tell, in one form: jobs and items that ended, by kind and by model, and by model what they took. Pure. */
import type { UsageReport } from '../../openapi/usage.ts'
import type { Sample } from '../../test/support/openmetrics.ts'
import { ends, microUsd, named, sumOf } from './metric-counts.ts'
import type { Flat } from './told-invariants.ts'

type Rows = Pick<UsageReport, 'data'>

const bothIn = ['succeeded', 'failed']

export const usageOf = ({ data }: Rows): Flat => sumOf(data.map(usageOfRow))

function usageOfRow({ kind, model, ...row }: UsageReport['data'][number]): Flat {
  const { jobs, items, succeeded, failed, input_tokens, output_tokens, cost_usd } = row
  if (kind !== null) return under(`kind ${kind}`, { jobs, items, succeeded, failed })
  const cost_micro_usd = microUsd(cost_usd)
  return under(`model ${model}`, {
    jobs,
    items,
    succeeded,
    failed,
    input_tokens,
    output_tokens,
    cost_micro_usd,
  })
}

const under = (group: string, counts: Flat): Flat =>
  Object.fromEntries(Object.entries(counts).map(([name, n]) => [`${name} of ${group}`, n]))

export const usageIn = (samples: readonly Sample[]): Flat =>
  sumOf(
    named(samples, ['jobs_total', 'batch_items_total', 'tokens_total', 'cost_usd_total']).map(
      ({ name, labels: { kind, model, status = '', direction }, value }) => {
        if (name === 'tokens_total') return under(`model ${model}`, { [`${direction}_tokens`]: value })
        if (name === 'cost_usd_total') return under(`model ${model}`, { cost_micro_usd: microUsd(value) })
        if (name === 'jobs_total' && !ends.includes(status)) return {}
        const ended = { [name === 'jobs_total' ? 'jobs' : 'items']: value }
        const counts = bothIn.includes(status) ? { ...ended, [status]: value } : ended
        return sumOf([under(`kind ${kind}`, counts), under(`model ${model}`, counts)])
      },
    ),
  )
