/** Dead letters in the directory: what operators work through. Written by upsert, so that writing again changes nothing. */
import { and, desc, eq, inArray, lt } from 'drizzle-orm'
import type { DeadLetterQuery, DeadLetterStatus } from '../../openapi/dead-letters.ts'
import type { FailureClass } from '../../openapi/job-words.ts'
import { cures } from '../cures.ts'
import { failures } from '../failure.ts'
import { mintId, randomBytes } from '../ids.ts'
import { MESSAGE_VERSION } from '../messages.ts'
import { timestamp } from '../wire.ts'
import type { Directory } from './open.ts'
import { deadLetters } from './schema.ts'

export type DeadLetterRow = typeof deadLetters.$inferSelect

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

/** Its ID follows from the batch's, so that it is written once. */
async function recordBatchDeadLetter(directory: Directory, letter: BatchDeadLetter): Promise<void> {
  const { model: _, ...fields } = letter
  const row = {
    ...blank,
    ...fields,
    ...dated(letter.createdAt),
    id: letter.batchId.replace(/^batch_/, 'dl_'),
    schemaVersion: MESSAGE_VERSION,
    status: 'open' as const,
    redrivable: false,
    redriveReason:
      'A batch is not redriven: once the cause is mended its customer reruns it, with what is incomplete.',
    redriveConditions: [],
  }
  await directory.insert(deadLetters).values(row).onConflictDoNothing()
}

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
  const setWhere = inArray(deadLetters.status, ['recovered', 'superseded'])
  await directory
    .insert(deadLetters)
    .values(row)
    .onConflictDoUpdate({ target: deadLetters.jobId, set, setWhere })
}

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
  await directory
    .insert(deadLetters)
    .values({
      ...blank,
      ...fields,
      ...dated(letter.createdAt),
      redrivable: false,
      redriveReason: why,
      redriveConditions: [],
    })
    .onConflictDoNothing()
}

export const findDeadLetter = (directory: Directory, id: string) =>
  directory.select().from(deadLetters).where(eq(deadLetters.id, id)).get()

/** Newest first; `limit + 1` rows tell the caller whether there are more. */
export const listDeadLetters = (
  directory: Directory,
  query: DeadLetterQuery,
  after: string | null,
  limit: number,
) =>
  directory
    .select()
    .from(deadLetters)
    .where(
      and(
        after ? lt(deadLetters.id, after) : undefined,
        query.status && eq(deadLetters.status, query.status),
        query.class ? eq(deadLetters.class, query.class) : undefined,
        query.tenant_id ? eq(deadLetters.tenantId, query.tenant_id) : undefined,
        query.queue ? eq(deadLetters.queue, query.queue) : undefined,
      ),
    )
    .orderBy(desc(deadLetters.id))
    .limit(limit + 1)
