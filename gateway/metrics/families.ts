/** What a scrape tells, made of what was collected for it: pure, and the only place for names of metrics. */
import type { Model } from '../../catalog/models.ts'
import type { DeadLetterFigures } from '../../ledger/directory/dead-letter-figures.ts'
import type { Backlog, FigureSum } from '../../ledger/directory/figure-sums.ts'
import { firstAttemptBounds, processingBounds, queueBounds } from '../../ledger/figures.ts'
import type { QueueState } from '../../ledger/queue-states.ts'
import { failureClasses } from '../../openapi/job-words.ts'
import {
  age,
  counter,
  gauge,
  histogram,
  samplesOf,
  seconds,
  usdCounter,
  type WorkSum,
  workSums,
} from './builders.ts'
import type { Family } from './exposition.ts'
import { directions, endings, knownOf, lettersKnown, outcomes } from './known.ts'

export interface Collected {
  /** Of this deployment, but those that misbehave on purpose. */
  readonly models: readonly Model[]
  readonly sums: readonly FigureSum[]
  readonly deadLetters: DeadLetterFigures
  /** Those that answered, and how many did not. */
  readonly queues: readonly QueueState[]
  readonly silentQueues: number
  readonly backlogs: readonly Backlog[]
  readonly oldestSnapshotAt: number | null
}

export const families = (collected: Collected, now: number): Family[] => [
  ...queueFamilies(collected, now),
  ...standing(collected, now),
  ...workFamilies(workSums(collected.sums), knownOf(collected.models)),
  ...deadLetterFamilies(collected.deadLetters, now),
  ...webhookFamilies(collected.sums),
]

const queueFamilies = ({ queues, silentQueues }: Collected, now: number): Family[] => [
  gauge(
    'queue_backlog_messages',
    'Messages on a queue.',
    queues.map(({ queue, messages }) => ({ labels: { queue }, value: messages })),
  ),
  seconds(
    'queue_oldest_message_seconds',
    'Age of the oldest message on a queue; 0 if it is empty.',
    queues.flatMap(({ queue, messages, oldestAt }) =>
      messages > 0 && oldestAt === null
        ? []
        : [{ labels: { queue }, value: messages > 0 ? age(oldestAt, now) : 0 }],
    ),
  ),
  gauge('scrape_errors', 'Queues that did not say how full they are, in this scrape.', silentQueues),
]

function standing({ sums, backlogs, oldestSnapshotAt }: Collected, now: number): Family[] {
  const found = (key: string) => sums.find((sum) => sum.kind === null && sum.path === '$' && sum.key === key)
  const total = (key: string) => found(key)?.total ?? 0
  const oldest = (key: string) => age(found(key)?.least ?? null, now)
  return [
    gauge('jobs_backlog', 'Jobs that have not ended.', total('waiting') + total('running')),
    gauge('jobs_running', 'Jobs of which an attempt is under way.', total('running')),
    seconds(
      'jobs_oldest_waiting_seconds',
      'Age of the oldest job that waits; 0 if none does.',
      oldest('oldestWaitingAt'),
    ),
    seconds(
      'jobs_oldest_unfinished_seconds',
      'Age of the oldest job that has not ended; 0 if all have.',
      oldest('oldestUnfinishedAt'),
    ),
    gauge('jobs_past_deadline', 'Unfinished jobs whose deadline is over.', total('pastDeadline')),
    gauge('batches_open', 'Batches that have not ended.', total('batchesOpen')),
    gauge('batches_stalled', 'Batches that make no headway.', total('batchesStalled')),
    gauge(
      'tenant_jobs_backlog',
      'Open work of the tenants that have the most.',
      backlogs.map(({ tenantId, jobs }) => ({ labels: { tenant_id: tenantId }, value: jobs })),
    ),
    seconds(
      'oldest_snapshot_seconds',
      'How long the most silent tenant with open work has told nothing; 0 if none has any.',
      age(oldestSnapshotAt, now),
    ),
  ]
}

const workFamilies = (sums: readonly WorkSum[], known: ReturnType<typeof knownOf>): Family[] => [
  counter(
    'jobs',
    'Jobs by what became of them; accepted are all of them.',
    samplesOf(
      sums,
      ({ kind, model, path, key }) => {
        if (path !== '$' || !['open', ...endings].includes(key)) return []
        const ended = key === 'open' ? [] : [{ kind, model, status: key }]
        return [{ kind, model, status: 'accepted' }, ...ended]
      },
      known.jobs,
    ),
  ),
  counter(
    'batch_items',
    'Items of batches that ended, by how.',
    samplesOf(
      sums,
      ({ kind, model, path, key }) => (path === '$.items' ? [{ kind, model, status: key }] : []),
      known.items,
    ),
  ),
  byClass(
    'job_attempts',
    'Attempts that ended, by class of failure; none is success.',
    sums,
    'attemptsFailed',
    {
      attemptsSucceeded: 'none',
    },
  ),
  byClass('job_retries', 'Failures after which another attempt follows.', sums, 'retries'),
  byClass('job_failures', 'Jobs and items that failed for good.', sums, 'failures'),
  histogram(sums, 'job_queue_seconds', 'From acceptance to the first attempt.', 'queued', queueBounds),
  histogram(sums, 'job_processing_seconds', 'How long attempts took.', 'processed', processingBounds),
  counter(
    'tokens',
    'Tokens that providers counted; of audio, seconds.',
    samplesOf(
      sums,
      ({ model, path, key }) =>
        directions
          .filter((direction) => path === '$' && key === `${direction}Tokens`)
          .map((direction) => ({ direction, model })),
      known.tokens,
    ),
  ),
  usdCounter(
    'cost_usd',
    'What attempts cost.',
    samplesOf(
      sums,
      ({ model, path, key }) => (path === '$' && key === 'costMicroUsd' ? [{ model }] : []),
      known.cost,
    ),
  ),
]

/** Sums of one member by class; others may count for a class too. */
function byClass(
  name: string,
  help: string,
  sums: readonly WorkSum[],
  member: string,
  others: Readonly<Record<string, string>> = {},
): Family {
  const known = [...Object.values(others), ...failureClasses].map((one) => ({ class: one }))
  const labelsOf = ({ path, key }: WorkSum) => {
    const one = path === `$.${member}` ? key : path === '$' ? others[key] : undefined
    return one ? [{ class: one }] : []
  }
  return counter(name, help, samplesOf(sums, labelsOf, known))
}

const deadLetterFamilies = ({ totals, open, oldestOpenAt }: DeadLetterFigures, now: number): Family[] => [
  counter(
    'dead_letters',
    'Dead letters that were recorded.',
    samplesOf(
      totals.map((one) => ({ ...one, total: one.recorded })),
      ({ queue, class: name }) => [{ queue, class: name }],
      lettersKnown,
    ),
  ),
  gauge('dead_letters_open', 'Dead letters that nobody has dealt with.', open),
  seconds(
    'dead_letter_oldest_open_seconds',
    'Age of the oldest of those; 0 if there is none.',
    age(oldestOpenAt, now),
  ),
]

const webhookFamilies = (sums: readonly FigureSum[]): Family[] => [
  counter(
    'webhook_attempts',
    'Attempts to deliver an event, by their outcome.',
    samplesOf(sums, ({ path, key }) => (path === '$.attempts' ? [{ outcome: key }] : []), outcomes),
  ),
  histogram(
    sums,
    'webhook_first_attempt_seconds',
    'From an event to the first attempt to deliver it.',
    'firstAttempt',
    firstAttemptBounds,
  ),
]
