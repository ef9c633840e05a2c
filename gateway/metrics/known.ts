/**
 * Labels that are told of from the beginning, with 0: what comes into being with a 1 would not be seen to grow. Models that misbehave
 * on purpose are not among them.
 */
import type { Model } from '../../catalog/models.ts'
import { failures } from '../../ledger/failure.ts'
import { deliveryErrors } from '../../ledger/webhooks/outcome.ts'
import { failureClasses } from '../../openapi/job-words.ts'
import type { Labels } from './exposition.ts'

export const endings = ['succeeded', 'failed', 'cancelled'] as const
export const directions = ['input', 'output'] as const

const labelled = (name: string, values: readonly string[]): Labels[] =>
  values.map((value) => ({ [name]: value }))

/** Everything of the one with everything of the other. */
const times = (some: readonly Labels[], others: readonly Labels[]): Labels[] =>
  some.flatMap((one) => others.map((other) => ({ ...one, ...other })))

export const outcomes = labelled('outcome', ['delivered', ...deliveryErrors])

export const lettersKnown = times(
  labelled('queue', ['jobs', 'batches']),
  labelled(
    'class',
    failureClasses.filter((name) => failures[name].deadLetter),
  ),
)

export function knownOf(models: readonly Model[]) {
  const names = labelled(
    'model',
    models.map(({ id }) => id),
  )
  const work = models.flatMap(({ id, kinds }) => kinds.map((kind) => ({ kind, model: id })))
  return {
    jobs: times(work, labelled('status', ['accepted', ...endings])),
    items: times(work, labelled('status', [...endings, 'expired'])),
    tokens: times(labelled('direction', directions), names),
    cost: names,
  }
}
