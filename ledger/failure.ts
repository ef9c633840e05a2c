/** The classes of failure: how often each is tried, who can mend it, and what the customer is told. One row each. */
import type { ItemClass } from '../openapi/batch-states.ts'
import type { FailureClass } from '../openapi/job-words.ts'

interface FailureRow {
  /** Attempts of this class at most; 1 is never retried. */
  readonly attempts: number
  /** Whether the same request may succeed later without the customer changing it. */
  readonly retryable: boolean
  /** Whether only operators can mend it: such a failure becomes a dead letter. */
  readonly deadLetter: boolean
  readonly message: string
}

const passing = (message: string): FailureRow => ({ attempts: 6, retryable: true, deadLetter: true, message })
const customers = (message: string): FailureRow => ({
  attempts: 1,
  retryable: false,
  deadLetter: false,
  message,
})

export const failures: Record<FailureClass, FailureRow> = {
  timeout: passing('The model did not answer in time.'),
  rate_limited: passing('The provider limited our rate.'),
  provider_unavailable: passing('The provider could not be reached.'),
  provider_overloaded: passing('The provider was overloaded.'),
  invalid_output: {
    attempts: 2,
    retryable: true,
    deadLetter: true,
    message: 'The model gave no usable answer.',
  },
  internal: { attempts: 3, retryable: true, deadLetter: true, message: 'The service failed to run the job.' },
  permission_denied: {
    attempts: 1,
    retryable: true,
    deadLetter: true,
    message: 'The provider refused our access.',
  },
  model_not_found: {
    attempts: 1,
    retryable: true,
    deadLetter: true,
    message: 'The provider does not know the model.',
  },
  invalid_input: customers('The provider refused the input as invalid.'),
  input_too_large: customers('The input is too large for the model.'),
  content_filtered: customers('The provider refused the content.'),
  unsupported_kind: customers('The model cannot do this kind of job.'),
  budget_exhausted: { ...customers("The tenant's budget was used up."), retryable: true },
  deadline_exceeded: {
    attempts: 1,
    retryable: true,
    deadLetter: true,
    message: 'The job did not finish in time.',
  },
}

type Told = Pick<FailureRow, 'retryable' | 'message'>

/** What is told of an item of a batch: as of a job, where it does not speak of one. */
export const itemFailures: Record<ItemClass, Told> = {
  ...failures,
  internal: { retryable: true, message: 'The service failed to run the item.' },
  deadline_exceeded: { retryable: true, message: 'The item did not finish in time.' },
  missing_result: { retryable: true, message: 'The provider gave no result for the item.' },
  duplicate_result: { retryable: true, message: 'The provider gave more than one result for the item.' },
}

/** Attempts of a job at most, whatever their classes. */
export const MAX_ATTEMPTS = 8
/** Leases that may be lost (consumers that died) before the job fails; these are no attempts of a class. */
export const MAX_LOST_LEASES = 5
