/** Evaluations of models in the directory. A consumer works on one by a lease; what is written at its end is written once. */
import { and, desc, eq, isNotNull, lt, type SQL, sql } from 'drizzle-orm'
import type {
  EvaluationErrorClass,
  EvaluationQuery,
  EvaluationReport,
  EvaluationStatus,
} from '../../openapi/model-evaluations.ts'
import type { Directory } from './open.ts'
import { type Act, traces } from './operations.ts'
import { modelEvaluations } from './schema.ts'

export type EvaluationRow = typeof modelEvaluations.$inferSelect

/** From the request: inputs and answers are not kept longer, whatever becomes of it. */
export const EVALUATION_CONTENT_MS = 30 * 24 * 3_600_000
/** A message that nobody has taken by then is sent again; so is that of a consumer whose lease has run out for a while. */
export const EVALUATION_SILENT_MS = 5 * 60_000
const LEASE_OVER_MS = 30_000
/** A consumer that has lost its lease may still write what it was answered; nobody lives longer. */
const CONSUMER_LIVES_MS = 20 * 60_000

export async function addEvaluation(directory: Directory, row: EvaluationRow, act: Act): Promise<void> {
  await directory.batch([
    directory.insert(modelEvaluations).values(row),
    ...traces(directory, 'model_evaluation.create', row.id, act),
  ])
}

export const findEvaluation = (directory: Directory, id: string): Promise<EvaluationRow | undefined> =>
  directory.select().from(modelEvaluations).where(eq(modelEvaluations.id, id)).get()

/** Newest first; `limit + 1` rows tell the caller whether there are more. */
export const listEvaluations = (
  directory: Directory,
  { status, candidate_model }: Pick<EvaluationQuery, 'status' | 'candidate_model'>,
  after: string | null,
  limit: number,
): Promise<EvaluationRow[]> =>
  directory
    .select()
    .from(modelEvaluations)
    .where(
      and(
        after ? lt(modelEvaluations.id, after) : undefined,
        status && eq(modelEvaluations.status, status),
        candidate_model ? eq(modelEvaluations.candidateModel, candidate_model) : undefined,
      ),
    )
    .orderBy(desc(modelEvaluations.id))
    .limit(limit + 1)

/** Said as the index says it. */
const isRunning = sql`${modelEvaluations.status} = 'running'`
const running = (id: string) => and(eq(modelEvaluations.id, id), isRunning)

const change = async (directory: Directory, set: Partial<EvaluationRow>, where: SQL | undefined) => {
  const { meta } = await directory.update(modelEvaluations).set(set).where(where)
  return meta.changes > 0
}

/** The evaluation, for whoever calls itself `lease`; undefined when it has ended, or somebody else is at work on it. */
export async function leaseEvaluation(
  directory: Directory,
  id: string,
  lease: string,
  now: number,
  until: number,
): Promise<EvaluationRow | undefined> {
  const [row] = await directory
    .update(modelEvaluations)
    .set({ lease, leaseUntil: until, dueAt: until + LEASE_OVER_MS })
    .where(and(running(id), lt(modelEvaluations.leaseUntil, now)))
    .returning()
  return row
}

const held = (id: string, lease: string) => and(running(id), eq(modelEvaluations.lease, lease))

/** False when the lease has gone to somebody else, or the evaluation has ended. */
export const renewEvaluation = (directory: Directory, id: string, lease: string, until: number) =>
  change(directory, { leaseUntil: until, dueAt: until + LEASE_OVER_MS }, held(id, lease))

export const releaseEvaluation = (directory: Directory, id: string, lease: string) =>
  change(directory, { leaseUntil: 0 }, held(id, lease))

type End =
  | { readonly report: EvaluationReport; passed: boolean }
  | { readonly errorClass: EvaluationErrorClass }

/** False when it had ended before. */
export function endEvaluation(directory: Directory, id: string, end: End, now: number): Promise<boolean> {
  const status: EvaluationStatus = 'passed' in end && end.passed ? 'passed' : 'failed'
  const outcome = 'report' in end ? { report: end.report } : end
  const contentUntil = now + CONSUMER_LIVES_MS
  return change(directory, { ...outcome, status, finishedAt: now, leaseUntil: 0, contentUntil }, running(id))
}

/** Running ones whose message counts as lost, oldest first. */
export const silentEvaluations = (directory: Directory, now: number, limit: number) =>
  directory
    .select({ id: modelEvaluations.id, createdAt: modelEvaluations.createdAt })
    .from(modelEvaluations)
    .where(and(isRunning, lt(modelEvaluations.dueAt, now)))
    .orderBy(modelEvaluations.dueAt)
    .limit(limit)

/** The message has been sent again. */
export const evaluationSentAgain = (directory: Directory, id: string, now: number) =>
  change(directory, { dueAt: now + EVALUATION_SILENT_MS }, running(id))

/** Those whose inputs and answers are to go by now. */
export const evaluationsWithOldContent = (directory: Directory, now: number, limit: number) =>
  directory
    .select({ id: modelEvaluations.id })
    .from(modelEvaluations)
    .where(and(isNotNull(modelEvaluations.contentUntil), lt(modelEvaluations.contentUntil, now)))
    .limit(limit)

export const evaluationContentGone = (directory: Directory, id: string) =>
  change(directory, { contentUntil: null }, eq(modelEvaluations.id, id))
