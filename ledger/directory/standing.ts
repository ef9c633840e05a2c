/** What may still be done about a dead letter. Pure: what was recorded, and the moment, in. */
import { timestamp } from '../wire.ts'
import type { DeadLetterRow } from './dead-letters.ts'

export interface Standing {
  readonly redrivable: boolean
  readonly reason: string
  readonly conditions: string[]
}

type Letter = Pick<
  DeadLetterRow,
  'status' | 'jobId' | 'newJobId' | 'redrivable' | 'redriveReason' | 'redriveConditions' | 'inputKeptUntil'
>

/** Why a redrive is out of the question, whatever the ledger would say; null for one that the ledger may be asked about. */
export function closedBecause({ status, jobId, newJobId, redrivable, redriveReason }: Letter): string | null {
  if (status === 'redriven') return `It was redriven already, as ${newJobId}.`
  if (status === 'resolved') return 'It has been resolved already.'
  return status === 'open' && redrivable && jobId !== null ? null : redriveReason
}

/** A letter as it stands now: what was true when it was written may have passed since. */
export function standing(letter: Letter, now: number): Standing {
  const closed = closedBecause(letter) ?? expired(letter, now)
  return closed === null
    ? { redrivable: true, reason: letter.redriveReason, conditions: letter.redriveConditions }
    : { redrivable: false, reason: closed, conditions: [] }
}

const expired = ({ inputKeptUntil }: Letter, now: number) =>
  inputKeptUntil !== null && inputKeptUntil <= now
    ? `The input was kept until ${timestamp(inputKeptUntil)}.`
    : null
