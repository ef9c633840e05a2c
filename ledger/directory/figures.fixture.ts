/** Figures of ledgers, as tests speak of them: nothing but what is given. */
import {
  type Figures,
  firstAttemptBounds,
  processingBounds,
  queueBounds,
  type WorkFigures,
} from '../figures.ts'

const histogram = (bounds: readonly number[]) => ({ buckets: [0, ...bounds.map(() => 0)], sumMs: 0 })

export const workOf = (more: Partial<WorkFigures> = {}): WorkFigures => ({
  kind: 'summarize',
  model: 'embedded/extract-1',
  open: 0,
  succeeded: 0,
  failed: 0,
  cancelled: 0,
  items: { succeeded: 0, failed: 0, cancelled: 0, expired: 0 },
  attemptsSucceeded: 0,
  attemptsFailed: {},
  retries: {},
  failures: {},
  inputTokens: 0,
  outputTokens: 0,
  costMicroUsd: 0,
  queued: histogram(queueBounds),
  processed: histogram(processingBounds),
  ...more,
})

interface Given {
  readonly work?: WorkFigures[]
  readonly now?: Partial<Figures['now']>
  readonly webhooks?: Partial<Figures['webhooks']>
}

export const figuresOf = ({ work = [], now = {}, webhooks = {} }: Given): Figures => ({
  v: 1,
  work,
  now: {
    waiting: 0,
    running: 0,
    oldestWaitingAt: null,
    oldestUnfinishedAt: null,
    pastDeadline: 0,
    batchesOpen: 0,
    batchesStalled: 0,
    ...now,
  },
  webhooks: { attempts: {}, firstAttempt: histogram(firstAttemptBounds), ...webhooks },
})
