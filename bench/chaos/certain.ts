/** Jobs that make sure of each class of failure in a run that is long enough. */
import type { FailureClass } from '../../openapi/job-words.ts'
import { openAiModels, textOf } from './bodies.ts'
import type { Chance } from './chance.ts'
import type { PlannedFile } from './workload.ts'

/** From so many jobs on, everything that can go wrong is wanted to have gone wrong. */
export const WHOLE_RUN_JOBS = 1000

interface Certain {
  readonly model?: string
  /** Of the stand-in for OpenAI. */
  readonly fault?: string
  readonly deadlineSeconds?: number
  readonly loses?: true
}

const faulty = (fault: string): Certain => ({ model: openAiModels.summarize, fault })

/** Budgets are used up by the tenants that have one. */
const certain: Record<Exclude<FailureClass, 'budget_exhausted' | 'unsupported_kind'>, Certain> = {
  timeout: faulty('408'),
  rate_limited: { model: 'test/rate-limited' },
  provider_unavailable: { model: 'test/unavailable' },
  provider_overloaded: faulty('529'),
  invalid_output: { model: 'test/invalid-output' },
  internal: { loses: true },
  permission_denied: { model: 'test/permission-denied' },
  model_not_found: faulty('404'),
  invalid_input: faulty('400'),
  input_too_large: faulty('413'),
  content_filtered: { model: 'test/content-filtered' },
  deadline_exceeded: { model: 'test/hangs', deadlineSeconds: 5 },
}

export const wantedClasses = [...Object.keys(certain), 'budget_exhausted'] as FailureClass[]

interface CertainJob {
  readonly body: object
  readonly file: PlannedFile | null
}

/** Of each class two: whatever else happens to one. */
export const certainJobs = (chance: Chance): CertainJob[] =>
  [...Object.values(certain), ...Object.values(certain)].map((one) => jobOf(one, chance))

function jobOf({ model, fault, deadlineSeconds, loses }: Certain, chance: Chance): CertainJob {
  const text = textOf(300, chance) + (fault ? ` fault:${fault}` : '')
  const more = { ...(model && { model }), ...(deadlineSeconds && { deadline_seconds: deadlineSeconds }) }
  return loses
    ? { body: { kind: 'summarize', ...more }, file: { text, loses } }
    : { body: { kind: 'summarize', input: { text }, ...more }, file: null }
}
