/** What an operator can expect of a redrive, by the class of the failure: why it may help, and what must be so first. */
import type { FailureClass } from '../openapi/job-words.ts'

interface Cure {
  readonly reason: string
  /** Null where nothing needs mending. */
  readonly condition: string | null
}

const passes: Cure = {
  reason: 'The cause lay with the provider and passes by itself.',
  condition: 'The provider works again.',
}

const customers: Cure = {
  reason: 'The request is for the customer to change; the same again would fail alike.',
  condition: null,
}

export const cures: Record<FailureClass, Cure> = {
  timeout: passes,
  rate_limited: passes,
  provider_unavailable: passes,
  provider_overloaded: passes,
  invalid_output: { reason: 'The model gave no usable answer; another run of it may.', condition: null },
  internal: {
    reason: 'The fault lay with this service, not with the job.',
    condition: 'The fault has been mended.',
  },
  permission_denied: {
    reason: 'The provider refused our access, not the job.',
    condition: 'The credential, terms or quota at the provider have been mended.',
  },
  model_not_found: {
    reason: 'The provider does not know the model as our catalog names it.',
    condition: "The catalog's entry of the model has been mended.",
  },
  deadline_exceeded: {
    reason: 'The job did not finish in time; a redrive has as much time again.',
    condition: 'What kept it waiting is over.',
  },
  invalid_input: customers,
  input_too_large: customers,
  content_filtered: customers,
  unsupported_kind: customers,
  budget_exhausted: customers,
}
