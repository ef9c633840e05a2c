/** The consumers Worker, which tells of what its Workflows and queues do. */
import type { WorkflowEvent, WorkflowStep, WorkflowStepConfig } from 'cloudflare:workers'
import type { BatchParams } from '../../consumers/batches/desk.ts'
import { BatchWorkflow as Workflow } from '../../consumers/batches/workflow.ts'
import consumers from '../../consumers/worker.ts'
import { aiOutside, type Tell, telling, toldContent, toldGates, toldLedgers, toldWorkflows } from './told.ts'

export { ProviderGate } from '../../consumers/gate/provider-gate.ts'

type Env = ConsumersEnv & { readonly TOLD_URL: string }

const common = (env: Env, tell: Tell, tenantId: string | null) => ({
  ...env,
  LEDGERS: toldLedgers(env.LEDGERS, tell),
  BATCH_WORKFLOW: toldWorkflows(env.BATCH_WORKFLOW, tell),
  AI: aiOutside(env.TOLD_URL, tell, tenantId),
})

export class BatchWorkflow extends Workflow {
  override async run(event: Readonly<WorkflowEvent<BatchParams>>, step: WorkflowStep): Promise<void> {
    const { tenantId } = event.payload
    const env = this.env as Env
    let name = ''
    const tell = telling(env.TOLD_URL, () => name)
    const content = toldContent(env.CONTENT, tell, tenantId)
    const gates = toldGates(env.GATES, tell, tenantId)
    const all = { ...common(env, tell, tenantId), CONTENT: content, GATES: gates }
    // It waits meanwhile.
    const tellOfWait = () => {
      name = 'wait'
      void tell(tenantId, 'some time')
    }
    const named = {
      do(full: string, config: WorkflowStepConfig, body: () => Promise<Rpc.Serializable<unknown>>) {
        return step.do(full, config, () => {
          name = kindOf(full)
          return body()
        })
      },
      sleep(...args: Parameters<WorkflowStep['sleep']>) {
        tellOfWait()
        return step.sleep(...args)
      },
      waitForEvent(...args: Parameters<WorkflowStep['waitForEvent']>) {
        tellOfWait()
        return step.waitForEvent(...args)
      },
    }
    const real = new Workflow(this.ctx, all as unknown as ConsumersEnv)
    await real.run(event, named as unknown as WorkflowStep)
  }
}

/** Without the numbers of the round and of the chunk. */
const kindOf = (name: string) => name.replace(/^\d+ /, '').replace(/ \d+$/, '')

export default {
  queue(batch: MessageBatch, env: Env): Promise<void> {
    const tell = telling(env.TOLD_URL, () => `queue ${batch.queue}`)
    return consumers.queue(batch, common(env, tell, null) as unknown as ConsumersEnv)
  },
  scheduled: consumers.scheduled,
}
