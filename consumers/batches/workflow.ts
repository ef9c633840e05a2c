/** The life of a batch, as a durable loop: the ledger says what is to be done now, and each piece of it is a step. */
import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers'

export interface BatchParams {
  readonly tenantId: string
  readonly batchId: string
  readonly instance: number
}

export class BatchWorkflow extends WorkflowEntrypoint<ConsumersEnv, BatchParams> {
  override async run(_event: Readonly<WorkflowEvent<BatchParams>>, _step: WorkflowStep): Promise<void> {}
}
