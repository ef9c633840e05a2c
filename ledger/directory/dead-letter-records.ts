/** How dead letters get into the directory: by upsert, so that writing again changes nothing. */
import { and, eq, exists, inArray, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { DeadLetterStatus } from '../../openapi/dead-letters.ts'
import type { FailureClass } from '../../openapi/job-words.ts'
import { cures } from '../cures.ts'
import { failures } from '../failure.ts'
import { mintId, randomBytes } from '../ids.ts'
import { MESSAGE_VERSION } from '../messages.ts'
import { timestamp } from '../wire.ts'
import { type DeadLetterRow, letterOfBatch } from './dead-letters.ts'
import { isLiving, rowWhere } from './living.ts'
import type { Directory } from './open.ts'
import { deadLetters, deadLetterTotals, tenants } from './schema.ts'

interface Failed {
  readonly tenantId: string
  readonly queue: string
  readonly class: FailureClass
  readonly attempts: number
  readonly createdAt: number
  readonly inputKeptUntil: number | null
  readonly model: string
}

/** A job that failed in a way that its customer cannot mend. */
export interface JobDeadLetter extends Failed {
  readonly jobId: string
}

/** A batch of which a chunk, or an item that ran singly, did. */
export interface BatchDeadLetter extends Failed {
  readonly batchId: string
}

export type DeadLetter = JobDeadLetter | BatchDeadLetter

/** Under the 4 days that the platform keeps a message. */
const REVIEW_WITHIN_MS = 3 * 24 * 3_600_000

const blank = {
  tenantId: null,
  jobId: null,
  batchId: null,
  deliveryId: null,
  schemaVersion: null,
  messageSha256: null,
  inputKeptUntil: null,
  redrivenBy: null,
  redrivenAt: null,
  redriveNote: null,
  newJobId: null,
}

const dated = (createdAt: number) => ({
  id: mintId('dl', 0, createdAt, randomBytes),
  createdAt,
  reviewBy: createdAt + REVIEW_WITHIN_MS,
})

export const recordDeadLetter = (directory: Directory, letter: DeadLetter): Promise<void> =>
  'jobId' in letter ? recordJobDeadLetter(directory, letter) : recordBatchDeadLetter(directory, letter)

/** The first stays: a batch has one letter at most. */
async function recordBatchDeadLetter(directory: Directory, letter: BatchDeadLetter): Promise<void> {
  const { model: _, ...fields } = letter
  const row = {
    ...blank,
    ...fields,
    ...dated(letter.createdAt),
    id: letterOfBatch(letter.batchId),
    schemaVersion: MESSAGE_VERSION,
    status: 'open' as const,
    redrivable: false,
    redriveReason:
      'A batch is not redriven: once the cause is mended its customer reruns it, with what is incomplete.',
    redriveConditions: [],
  }
  await directory.batch([
    counted(directory, row, eq(deadLetters.id, row.id)),
    written(directory, row).onConflictDoNothing(),
  ])
}

const overtaken: DeadLetterStatus[] = ['recovered', 'superseded']

/** Takes the place of a record that says the job was recovered or superseded before: now it has failed. */
async function recordJobDeadLetter(directory: Directory, letter: JobDeadLetter): Promise<void> {
  const { model, ...fields } = letter
  const { reason, condition } = cures[letter.class]
  const row = {
    ...blank,
    ...fields,
    ...dated(letter.createdAt),
    schemaVersion: MESSAGE_VERSION,
    status: 'open' as const,
    redrivable: failures[letter.class].deadLetter,
    redriveReason: reason,
    redriveConditions: [
      ...(condition ? [condition] : []),
      `The model ${model} is enabled and allowed for the job.`,
      ...(letter.inputKeptUntil ? [`The input is kept until ${timestamp(letter.inputKeptUntil)}.`] : []),
    ],
  }
  const { id: _, ...set } = row
  const setWhere = inArray(deadLetters.status, overtaken)
  const stands = and(eq(deadLetters.jobId, letter.jobId), notInArray(deadLetters.status, overtaken))
  await directory.batch([
    counted(directory, row, stands),
    written(directory, row).onConflictDoUpdate({ target: deadLetters.jobId, set, setWhere }),
  ])
}

/** Counts a letter that is about to be recorded, `unless` there is one that stays in its place. */
const counted = (
  directory: Directory,
  letter: Pick<DeadLetterRow, 'queue' | 'class' | 'tenantId'>,
  unless: SQL | undefined,
) => {
  const there = directory.select({ one: sql`1` }).from(deadLetters).where(unless)
  return directory
    .insert(deadLetterTotals)
    .select(
      sql`select ${letter.queue}, ${letter.class}, 1 where ${isWelcome(directory, letter)} and not exists ${there}`,
    )
    .onConflictDoUpdate({
      target: [deadLetterTotals.queue, deadLetterTotals.class],
      set: { recorded: sql`recorded + 1` },
    })
}

const isWelcome = (directory: Directory, { tenantId }: Pick<DeadLetterRow, 'tenantId'>) =>
  tenantId === null
    ? sql`true`
    : exists(directory.select({ one: sql`1` }).from(tenants).where(isLiving(tenantId)))

/** About a tenant that is not there any more nothing is recorded. */
const written = (directory: Directory, row: DeadLetterRow) =>
  row.tenantId === null
    ? directory.insert(deadLetters).values(row)
    : directory.insert(deadLetters).select(rowWhere(directory, deadLetters, row, isLiving(row.tenantId)))

/** A queue message that failed, as its dead-letter queue or its consumer saw it. */
export interface MessageDeadLetter {
  readonly queue: string
  readonly messageSha256: string
  readonly attempts: number
  readonly class: 'unparseable' | FailureClass
  readonly status: DeadLetterStatus
  readonly tenantId: string | null
  readonly jobId: string | null
  readonly batchId: string | null
  readonly createdAt: number
  readonly why: string
}

export async function recordMessageDeadLetter(
  directory: Directory,
  letter: MessageDeadLetter,
): Promise<void> {
  const { why, ...fields } = letter
  const { queue, messageSha256, jobId } = letter
  const ofMessage = and(eq(deadLetters.queue, queue), eq(deadLetters.messageSha256, messageSha256))
  const row = {
    ...blank,
    ...fields,
    ...dated(letter.createdAt),
    redrivable: false,
    redriveReason: why,
    redriveConditions: [],
  }
  await directory.batch([
    counted(directory, row, jobId === null ? ofMessage : or(ofMessage, eq(deadLetters.jobId, jobId))),
    written(directory, row).onConflictDoNothing(),
  ])
}
