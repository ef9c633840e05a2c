/**
 * Epochs of a ledger: the directory begins another one (`restoreEpoch`) each time that the ledger is put back to a point in time. It knows
 * nothing then of what it gave out after that point, and others do: what it gives out from then on is told apart by the epoch. Pure.
 */
import { refused } from './replies.ts'

/** Of the 40 bits that IDs have for the number of an event, the upper 8 are the epoch. */
const EVENTS_OF_AN_EPOCH = 2 ** 32

/** Events of the epoch have higher numbers than this, and those of all earlier ones lower. */
export const eventsBefore = (epoch: number): number => epoch * EVENTS_OF_AN_EPOCH

/**
 * The key under which a provider sees an attempt: one of a later epoch is never answered with what was said to one that is forgotten.
 * `answers`: how many of the job's failures are known answers.
 */
export const providerKeyOf = (jobId: string, epoch: number, answers: number): string =>
  epoch === 0 ? `${jobId}-${answers}` : `${jobId}-r${epoch}-${answers}`

/** Why nothing new is taken until an operator lets a restored ledger go on: it may be put back once more, to another point. */
export const heldNow = refused(
  'unavailable',
  'What the tenant has on record is being restored. Nothing new is taken until that is done.',
  { retryAfterSeconds: 60 },
)
