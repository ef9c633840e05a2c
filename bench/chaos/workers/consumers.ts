/**
 * The consumers Worker under chaos: every batch is delivered twice, side by side, and some of the processes that run it die between
 * the provider's answer and the settlement. A process that dies says no more to its ledger, its heartbeats included.
 */
import consumers from '../../../consumers/worker.ts'
import { JobMessage } from '../../../ledger/messages.ts'
import { applyTo, type Copy, copyOf } from './copies.ts'
import { Fate } from './fate.ts'
import { mortalStub, Process } from './mortal.ts'
import { tell } from './tell.ts'

export { ProviderGate } from '../../../consumers/gate/provider-gate.ts'
export { BatchWorkflow } from './workflow.ts'

type Env = ConsumersEnv & { CHAOS_SEED: string }

export default {
  async queue(batch: MessageBatch, env: Env): Promise<void> {
    const fate = new Fate(Number(env.CHAOS_SEED))
    tell('chaos.doubled', { queue: batch.queue, messages: batch.messages.length })
    const groups = groupsOf(batch, fate)
    const firsts = groups.map((messages) => runProcess(copyOf(batch, messages), 'first', fate, env))
    const seconds = groups.map((messages) => runProcess(copyOf(batch, messages), 'second', fate, env))
    await Promise.all(seconds)
    const endings = new Map((await Promise.all(firsts)).flatMap((copy) => [...copy.endings]))
    for (const message of batch.messages) applyTo(message, endings.get(message.id) ?? unheard(message, fate))
  },
  scheduled: consumers.scheduled,
}

/** What the queue does with messages of a process that died: delivers them again, or loses them. */
const unheard = ({ id }: Message, fate: Fate) =>
  fate.loses(id) ? ({ kind: 'ack' } as const) : ({ kind: 'retry', delaySeconds: undefined } as const)

/** A process for each message whose run will be killed alone, and one for all others. */
function groupsOf({ messages, queue }: MessageBatch, fate: Fate): Message[][] {
  const diesAlone = ({ body }: Message) => {
    const { success, data } = JobMessage.safeParse(body)
    if (!success || queue.endsWith('-dlq')) return false
    return fate.kills(data.job_id, data.attempt) && !fate.takesNeighbours(data.job_id, data.attempt)
  }
  const { alone = [], together = [] } = Object.groupBy(messages, (message) =>
    diesAlone(message) ? 'alone' : 'together',
  )
  return [...alone.map((message) => [message]), together].filter((group) => group.length > 0)
}

async function runProcess(copy: Copy, which: string, fate: Fate, env: Env): Promise<Copy> {
  const name = copy.batch.messages.map(({ id, attempts }) => `${id}/${attempts}`).join()
  const process = new Process(fate, `${which} ${name}`)
  const ledgers = { getByName: (ledger: string) => mortalStub(env.LEDGERS.getByName(ledger), process) }
  const mortal = { ...env, LEDGERS: ledgers } as unknown as ConsumersEnv
  await Promise.race([consumers.queue(copy.batch, mortal), process.death])
  return copy
}
