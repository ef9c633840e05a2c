/**
 * The life of a batch, as a durable loop: the ledger says what is to be done now, and each piece of it is a step. All that counts is in
 * the ledger, so a step may be run again at any time, and an instance that dies is replaced by the next, which looks and goes on.
 */
import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers'
import { settingsOf } from '../settings.ts'
import type { BatchParams } from './desk.ts'
import { isIdle, type Round, roundOf, type Work } from './round.ts'
import { Steps } from './steps.ts'
import { UnderWay } from './under-way.ts'

export class BatchWorkflow extends WorkflowEntrypoint<ConsumersEnv, BatchParams> {
  override async run({ payload }: Readonly<WorkflowEvent<BatchParams>>, step: WorkflowStep): Promise<void> {
    const steps = new Steps(this.env, payload, step)
    const submissions = new UnderWay()
    let isOver = false
    try {
      isOver = await rounds(steps, submissions, settingsOf(this.env).workflowSteps)
    } finally {
      // However it ends: what is under way must be told, and whoever goes on would ask for it too early.
      await submissions.allEnded()
    }
    if (!isOver) await steps.handOver()
  }
}

/** False when there may be more to do, by another instance. */
async function rounds(steps: Steps, submissions: UnderWay, mostSteps: number): Promise<boolean> {
  for (let before = ''; steps.count < mostSteps; ) {
    await submissions.throwFaults()
    const { look, standing, at } = await steps.look(() => submissions.standing())
    if (look.kind === 'over') {
      if (standing.underWay.length === 0) return true
      // What was taken although its batch is over is to be called off.
      await submissions.allEnded()
    } else if (look.kind === 'copy') await steps.copy(look.order)
    else if (look.kind === 'plan') await steps.plan(look.order)
    else {
      const round = roundOf(look, standing, at)
      await work(steps, look, round, submissions)
      const now = JSON.stringify(look)
      // Nothing came of the last round.
      if (isIdle(round) || now === before) await rest(steps, round, submissions)
      before = now
    }
  }
  return false
}

/** What others wait for comes first, and what may take long is not waited for. */
async function work(steps: Steps, { model }: Work, round: Round, submissions: UnderWay): Promise<void> {
  for (const chunk of round.submit) submissions.begin(chunk, steps.submit(model, chunk))
  for (const chunk of round.callOff) await steps.callOff(chunk)
  if (round.poll.length > 0) await steps.poll(round.poll)
  for (const chunk of round.gather) await steps.gather(chunk)
  for (const chunk of round.open) await steps.open(chunk)
}

const rest = (steps: Steps, { beside, restMs }: Round, submissions: UnderWay): Promise<void> =>
  beside ? submissions.oneEnded(restMs) : steps.wait(restMs)
