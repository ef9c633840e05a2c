/** The tables of what operators do and decide: evaluations of models, their requests, the audit log, standing orders. */
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { KindName } from '../../catalog/kind.ts'
import type { AcceptedWork } from '../../openapi/intake.ts'
import type {
  EvaluationErrorClass,
  EvaluationReport,
  EvaluationStatus,
  EvaluationThresholds,
} from '../../openapi/model-evaluations.ts'

/** Comparisons of a candidate model with the present one. Inputs and answers lie in R2; what is here can be shown. */
export const modelEvaluations = sqliteTable(
  'model_evaluations',
  {
    id: text().primaryKey(),
    status: text().$type<EvaluationStatus>().notNull(),
    kind: text().$type<KindName>().notNull(),
    presentModel: text().notNull(),
    /** Of the models, when the evaluation was asked for: another one is not what was to be evaluated. */
    presentVersion: text().notNull(),
    candidateModel: text().notNull(),
    candidateVersion: text().notNull(),
    params: text({ mode: 'json' }).$type<Record<string, unknown>>(),
    /** All of them, with the defaults of those that were not asked for. */
    thresholds: text({ mode: 'json' }).$type<EvaluationThresholds>().notNull(),
    cases: integer().notNull(),
    labelledCases: integer().notNull(),
    createdBy: text().notNull(),
    reason: text().notNull(),
    createdAt: integer().notNull(),
    finishedAt: integer(),
    /** Why there is no report, of one that failed without. */
    errorClass: text().$type<EvaluationErrorClass>(),
    report: text({ mode: 'json' }).$type<EvaluationReport>(),
    /** Names the consumer that is at work on it, until then. */
    lease: text(),
    leaseUntil: integer().notNull().default(0),
    /** When its message counts as lost. */
    dueAt: integer().notNull(),
    /** When inputs and answers go at the latest; null once they have gone. */
    contentUntil: integer(),
  },
  (evaluation) => [
    index('model_evaluations_candidate').on(evaluation.candidateModel, evaluation.id),
    index('model_evaluations_due').on(evaluation.dueAt).where(sql`${evaluation.status} = 'running'`),
    index('model_evaluations_content')
      .on(evaluation.contentUntil)
      .where(sql`${evaluation.contentUntil} is not null`),
  ],
)

/** First answers to operators' requests that carried an Idempotency-Key. */
export const operatorKeys = sqliteTable('operator_keys', {
  /** SHA-256 of client, method, path and key. */
  keyHash: text().primaryKey(),
  fingerprint: text().notNull(),
  /** JSON; a secret that was shown once is null here. */
  response: text().notNull(),
  createdAt: integer().notNull(),
})

export const auditLog = sqliteTable(
  'audit_log',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    operator: text().notNull(),
    action: text().notNull(),
    target: text().notNull(),
    reason: text().notNull(),
  },
  (line) => [
    index('audit_log_target').on(line.target, line.id),
    index('audit_log_operator').on(line.operator, line.id),
    index('audit_log_action').on(line.action, line.id),
    index('audit_log_at').on(line.at),
  ],
)

/** The one row that counts changes of what follows: of pauses and of what was decided about models. */
export const orderRevisions = sqliteTable('order_revisions', {
  id: integer().primaryKey(),
  revision: integer().notNull(),
})

export const intakePauses = sqliteTable('intake_pauses', {
  /** The scope as JSON, so that there is one pause for each. */
  id: text().primaryKey(),
  /** Null for all; so with kinds and models. */
  tenantId: text(),
  kind: text(),
  model: text(),
  acceptedWork: text().$type<AcceptedWork>().notNull(),
  operator: text().notNull(),
  reason: text().notNull(),
  at: integer().notNull(),
})

/** What operators have decided about models; of the others the catalog has the word. */
export const modelStates = sqliteTable('model_states', {
  model: text().primaryKey(),
  /** The version that was approved, by an evaluation or by an operator's word; with neither, the one that was decided about. */
  version: text().notNull(),
  enabled: integer({ mode: 'boolean' }).notNull(),
  evaluationId: text(),
  overridden: integer({ mode: 'boolean' }).notNull(),
  operator: text().notNull(),
  reason: text().notNull(),
  at: integer().notNull(),
})
