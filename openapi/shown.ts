/** The examples of the document, and which of them an operation shows. */
import { accountExamples } from './examples/account.ts'
import { alertExamples } from './examples/alerts.ts'
import { batchContentExamples, resultLines } from './examples/batch-contents.ts'
import { batchExamples } from './examples/batches.ts'
import { deadLetterExamples } from './examples/dead-letters.ts'
import { eventExamples } from './examples/events.ts'
import type { Example } from './examples/example.ts'
import { fileExamples } from './examples/files.ts'
import { issuerExamples } from './examples/issuers.ts'
import { jobExamples } from './examples/jobs.ts'
import { modelEvaluationExamples } from './examples/model-evaluations.ts'
import { monitoringExamples } from './examples/monitoring.ts'
import { operatorBatchExamples } from './examples/operator-batches.ts'
import { operatorJobExamples } from './examples/operator-jobs.ts'
import { orderExamples } from './examples/orders.ts'
import { restoreExamples } from './examples/restores.ts'
import { tenantExamples } from './examples/tenants.ts'
import { tokenExamples } from './examples/tokens.ts'
import { deliveryExamples, webhookEndpointExamples } from './examples/webhooks.ts'

/** By the name of the schema. */
const examples: Readonly<Record<string, Readonly<Record<string, Example<unknown>>>>> = {
  ...tokenExamples,
  ...jobExamples,
  ...batchExamples,
  ...batchContentExamples,
  ...fileExamples,
  ...accountExamples,
  ...webhookEndpointExamples,
  ...deliveryExamples,
  ...eventExamples,
  ...tenantExamples,
  ...restoreExamples,
  ...issuerExamples,
  ...deadLetterExamples,
  ...operatorJobExamples,
  ...operatorBatchExamples,
  ...monitoringExamples,
  ...alertExamples,
  ...modelEvaluationExamples,
  ...orderExamples,
  BatchResultLine: {
    lines: {
      summary: 'An item that succeeded and one that failed',
      value: resultLines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    },
  },
}

/** Operations that can answer with some of a schema's examples only. */
const only: Readonly<Record<string, readonly string[]>> = {
  createJob: ['accepted'],
  cancelJob: ['cancelled'],
  createBatch: ['accepted'],
  rerunBatch: ['rerun'],
  discardBatch: ['discarded'],
  retryDelivery: ['pending'],
  resolveDeadLetter: ['resolved'],
  createModelEvaluation: ['running', 'embed', 'classify', 'summarize'],
  pauseIntake: ['paused'],
  resumeIntake: ['open'],
  disableModel: ['disabled'],
  enableModel: ['enabled'],
}

/** The examples of a schema that an operation shows: all, unless only some of them can come there. */
export function examplesOf(schema: string, operationId: string): [string, Example<unknown>][] {
  const all = Object.entries(examples[schema] ?? {})
  const some = all.filter(([name]) => only[operationId]?.includes(name))
  return some.length > 0 ? some : all
}
