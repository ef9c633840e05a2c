/** What redrives came to, or would come to, as operators see it. */
import type { DeadLetterRow } from '../../ledger/directory/dead-letters.ts'
import type { Redrivable } from '../../ledger/redrive.ts'
import type { Redrive, RedriveOutcome, RedriveReport } from '../../openapi/dead-letters.ts'
import type { Verdict } from '../redriving.ts'

export function redriveView({ id, tenantId, jobId }: DeadLetterRow, newJobId: string): Redrive {
  if (tenantId === null || jobId === null) throw new Error('A dead letter of no job was redriven.')
  return {
    object: 'redrive',
    dead_letter_id: id,
    tenant_id: tenantId,
    redrive_of: jobId,
    new_job_id: newJobId,
  }
}

export const redriven = (verdict: Verdict<string>): RedriveOutcome =>
  verdict.problem ? refused(verdict) : outcome(verdict.letter, 'redriven', verdict.value)

export const foretold = (verdict: Verdict<Redrivable>): RedriveOutcome =>
  verdict.problem ? refused(verdict) : outcome(verdict.letter, 'would_redrive', verdict.value.newJobId)

const refused = ({ letter, problem }: { letter: DeadLetterRow; problem: Error }): RedriveOutcome => ({
  ...outcome(letter, 'refused', null),
  reason: problem.message,
})

const outcome = (letter: DeadLetterRow, what: RedriveOutcome['outcome'], newJobId: string | null) => ({
  dead_letter_id: letter.id,
  outcome: what,
  new_job_id: newJobId,
  reason: null,
})

/** `next` is the cursor behind the last letter that was looked at; null when there are no more. */
export function reportOf(dryRun: boolean, data: RedriveOutcome[], next: string | null): RedriveReport {
  const count = (what: RedriveOutcome['outcome']) => data.filter(({ outcome }) => outcome === what).length
  return {
    object: 'redrive_report',
    dry_run: dryRun,
    redriven: count('redriven'),
    would_redrive: count('would_redrive'),
    refused: count('refused'),
    data,
    has_more: next !== null,
    next_cursor: next,
  }
}
