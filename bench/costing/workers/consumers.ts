/** The consumers, counted. */
import './clock.ts'
import type { WorkflowEvent, WorkflowStep } from 'cloudflare:workers'
import type { BatchParams } from '../../../consumers/batches/desk.ts'
import { BatchWorkflow as Workflow } from '../../../consumers/batches/workflow.ts'
import consumers from '../../../consumers/worker.ts'
import { CONTROL, controlled } from './control.ts'
import { count, meterBucket, meterDatabase, meterLog, meterNamespace } from './meters.ts'
import { counted } from './queues.ts'

export { ProviderGate } from '../../../consumers/gate/provider-gate.ts'

meterLog()

export class BatchWorkflow extends Workflow {
  override run(event: Readonly<WorkflowEvent<BatchParams>>, step: WorkflowStep): Promise<void> {
    meterEnv(this.env)
    count('workflow_instances')
    return super.run(event, step)
  }
}

function meterEnv(env: ConsumersEnv): void {
  meterNamespace(env.LEDGERS, 'ledger')
  meterNamespace(env.GATES, 'gate')
  meterBucket(env.CONTENT)
  meterDatabase(env.DIRECTORY)
}

async function tick(env: ConsumersEnv): Promise<Response> {
  meterEnv(env)
  count('worker_requests')
  await consumers.scheduled(
    { scheduledTime: Date.now(), cron: '* * * * *', noRetry: () => undefined } as ScheduledController,
    env,
  )
  return new Response(null, { status: 204 })
}

export default {
  async fetch(request, env) {
    if (new URL(request.url).pathname === `${CONTROL}tick`) return tick(env)
    return controlled(request) ?? new Response(null, { status: 404 })
  },
  queue(batch, env) {
    meterEnv(env)
    return counted(batch, (same) => consumers.queue(same, env))
  },
} satisfies ExportedHandler<ConsumersEnv>
