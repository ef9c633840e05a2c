/**
 * The Workflow of a batch under chaos: some of its processes die after they have done something, and before their ledger hears of it.
 * One that has died says no more, and does not end either: it has to be missed.
 */
import type { WorkflowEvent, WorkflowStep } from 'cloudflare:workers'
import type { BatchParams } from '../../../consumers/batches/desk.ts'
import { BatchWorkflow as Workflow } from '../../../consumers/batches/workflow.ts'
import { Fate } from './fate.ts'
import { mortalStub, Process } from './mortal.ts'
import { tell } from './tell.ts'

type Env = ConsumersEnv & { CHAOS_SEED: string }

const outcomes = ['sealPlan', 'takeSource', 'endSubmission', 'noteAnswers', 'openItemJobs', 'endGathering']

export class BatchWorkflow extends Workflow {
  override run(event: Readonly<WorkflowEvent<BatchParams>>, step: WorkflowStep): Promise<void> {
    const { batchId, instance } = event.payload
    const env = this.env as Env
    const fate = new Fate(Number(env.CHAOS_SEED))
    const process = new Process(fate, `${batchId} ${instance}`)
    const before = (method: string) => {
      if (!outcomes.includes(method) || !process.isAlive) return
      if (!fate.killsFlow(process.nextCall(method))) return
      process.kill()
      tell('chaos.flow_killed', { batch_id: batchId, instance, method })
    }
    const ledgers = { getByName: (name: string) => mortalStub(env.LEDGERS.getByName(name), process, before) }
    return new Workflow(this.ctx, { ...env, LEDGERS: ledgers } as unknown as ConsumersEnv).run(event, step)
  }
}
