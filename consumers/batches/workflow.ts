/**
 * The life of a batch, as a durable loop: the ledger says what is to be done now, and each piece of it is a step. All that counts is in
 * the ledger, so a step may be run again at any time, and an instance that dies is replaced by the next, which looks and goes on.
 */
import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers'
import { settingsOf } from '../settings.ts'
import type { BatchParams } from './desk.ts'
import { isIdle, type Round, roundOf, type Work } from './round.ts'
import { Steps } from './steps.ts'

export class BatchWorkflow extends WorkflowEntrypoint<ConsumersEnv, BatchParams> {
  override async run({ payload }: Readonly<WorkflowEvent<BatchParams>>, step: WorkflowStep): Promise<void> {
    const steps = new Steps(this.env, payload, step)
    const { workflowSteps } = settingsOf(this.env)
    const putOff = new Map<number, number>()
    for (let before = ''; steps.count < workflowSteps; ) {
      const { look, at } = await steps.look()
      if (look.kind === 'over') return
      if (look.kind === 'copy') await steps.copy(look.order)
      else if (look.kind === 'plan') await steps.plan(look.order)
      else {
        const round = roundOf(look, putOff, at)
        await work(steps, look, round, putOff)
        const now = JSON.stringify(look)
        // Nothing came of the last round.
        if (isIdle(round) || now === before) await steps.wait(round.restMs)
        before = now
      }
    }
    await steps.handOver()
  }
}

/** What others wait for comes first. */
async function work(steps: Steps, { model }: Work, round: Round, putOff: Map<number, number>): Promise<void> {
  for (const chunk of round.callOff) await steps.callOff(chunk)
  if (round.poll.length > 0) await steps.poll(round.poll)
  for (const chunk of round.gather) await steps.gather(chunk)
  for (const chunk of round.open) await steps.open(chunk)
  for (const chunk of round.submit) {
    const tried = await steps.submit(model, chunk)
    if (tried) putOff.set(chunk, tried.notBefore)
  }
}
