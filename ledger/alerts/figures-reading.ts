/** What a check needs of the sums over all ledgers' snapshots. */
import { type ItemClass, itemClasses } from '../../openapi/batch-states.ts'
import type { FailureClass } from '../../openapi/job-words.ts'
import type { FigureSum } from '../directory/figure-sums.ts'
import { failures } from '../failure.ts'
import type { FiguresReading, ModelCounts } from './reading.ts'

const late: ItemClass = 'deadline_exceeded'
const isOurs = (one: ItemClass) => !(one in failures) || failures[one as FailureClass].deadLetter
const under = (path: string, names: readonly string[]) => names.map((name) => `${path} ${name}`)

/** Where in the figures of one kind at one model it stands. */
const places: Record<keyof ModelCounts, ReadonlySet<string>> = {
  ended: new Set([
    ...under('$', ['succeeded', 'failed']),
    ...under('$.items', ['succeeded', 'failed', 'expired']),
  ]),
  expired: new Set([...under('$.failures', [late]), ...under('$.items', ['expired'])]),
  failed: new Set(
    under(
      '$.failures',
      itemClasses.filter((one) => one !== late && isOurs(one)),
    ),
  ),
  refused: new Set(under('$.failures', ['permission_denied', 'model_not_found'] satisfies ItemClass[])),
}
const names = Object.keys(places) as (keyof ModelCounts)[]
const none: ModelCounts = { ended: 0, expired: 0, failed: 0, refused: 0 }

export function figuresReading(sums: readonly FigureSum[]): FiguresReading {
  const standing = new Map(sums.filter(isOfNow).map((sum) => [sum.key, sum]))
  return {
    oldestWaitingAt: standing.get('oldestWaitingAt')?.least ?? null,
    oldestUnfinishedAt: standing.get('oldestUnfinishedAt')?.least ?? null,
    pastDeadline: standing.get('pastDeadline')?.total ?? 0,
    batchesStalled: standing.get('batchesStalled')?.total ?? 0,
    models: modelCounts(sums),
    webhooks: webhookCounts(sums),
  }
}

const isOfNow = ({ model, path }: FigureSum) => model === null && path === '$'

/** Models that misbehave on purpose say nothing. */
function modelCounts(sums: readonly FigureSum[]): FiguresReading['models'] {
  const counts: Record<string, ModelCounts> = {}
  for (const { model, path, key, total } of sums) {
    if (model === null || model.startsWith('test/')) continue
    const so = counts[model] ?? none
    const more = names.filter((name) => places[name].has(`${path} ${key}`))
    counts[model] = { ...so, ...Object.fromEntries(more.map((name) => [name, so[name] + total])) }
  }
  return counts
}

function webhookCounts(sums: readonly FigureSum[]): FiguresReading['webhooks'] {
  const attempts = sums.filter(({ model, path }) => model === null && path === '$.attempts')
  const sum = (some: readonly FigureSum[]) => some.reduce((all, { total }) => all + total, 0)
  return { attempts: sum(attempts), failed: sum(attempts.filter(({ key }) => key !== 'delivered')) }
}
