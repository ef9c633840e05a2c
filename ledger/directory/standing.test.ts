import { describe, expect, it } from 'vitest'
import { closedBecause, standing } from './standing.ts'

const NOW = 1_800_000_000_000
const open = {
  status: 'open' as const,
  jobId: 'job_1',
  newJobId: null,
  redrivable: true,
  redriveReason: 'It may help.',
  redriveConditions: ['The model is enabled.'],
  inputKeptUntil: NOW + 1,
}
type Letter = Parameters<typeof standing>[0]

describe('a dead letter', () => {
  it.each<[string, Partial<Letter>, string | null]>([
    ['is open', {}, null],
    ['has an input that is kept for ever', { inputKeptUntil: null }, null],
    ['was redriven', { status: 'redriven', newJobId: 'job_2' }, 'It was redriven already, as job_2.'],
    ['was resolved', { status: 'resolved' }, 'It has been resolved already.'],
    ['was recovered', { status: 'recovered', redriveReason: 'It goes on.' }, 'It goes on.'],
    ['was superseded', { status: 'superseded', redriveReason: 'It has ended.' }, 'It has ended.'],
    ['was written as one that cannot', { redrivable: false, redriveReason: 'Poison.' }, 'Poison.'],
    ['has no job behind it', { jobId: null, redriveReason: 'No job.' }, 'No job.'],
  ])('that %s may be asked for, or says why not', (_, change, because) => {
    const letter = { ...open, ...change }

    expect(closedBecause(letter)).toBe(because)
    expect(standing(letter, NOW)).toEqual(
      because === null
        ? { redrivable: true, reason: 'It may help.', conditions: ['The model is enabled.'] }
        : { redrivable: false, reason: because, conditions: [] },
    )
  })

  it('whose input is past its date says so, though the ledger may still be asked', () => {
    const letter = { ...open, inputKeptUntil: NOW }

    expect(closedBecause(letter)).toBeNull()
    expect(standing(letter, NOW)).toEqual({
      redrivable: false,
      reason: 'The input was kept until 2027-01-15T08:00:00.000Z.',
      conditions: [],
    })
  })
})
