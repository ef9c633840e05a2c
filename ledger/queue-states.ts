/** How full the queues are, by their bindings. They are asked side by side, each within its time: one that does not answer is left out. */

/** An invocation has six connections; the sixth is for the directory. */
const SIDE_BY_SIDE = 5
const ASKED_FOR_MS = 2000

export type AskedQueue = readonly [name: string, queue: Pick<Queue, 'metrics'> | undefined]

export interface QueueState {
  readonly queue: string
  readonly messages: number
  /** Null when the platform does not say, though there are messages. */
  readonly oldestAt: number | null
}

/** What the gateway has bound, and the consumers. */
type Bound = Readonly<
  Record<
    | `JOBS${'' | '_BULK' | '_SLOW' | '_SOLO'}${'' | '_DLQ'}`
    | `${'BATCHES' | 'CALLBACKS' | 'EVALUATIONS'}${'' | '_DLQ'}`,
    AskedQueue[1]
  >
>

/** All that messages are sent to, and where those go that failed too often. */
export const allQueues = (env: Bound): AskedQueue[] => [
  ['jobs', env.JOBS],
  ['jobs-bulk', env.JOBS_BULK],
  ['jobs-slow', env.JOBS_SLOW],
  ['jobs-solo', env.JOBS_SOLO],
  ['batches', env.BATCHES],
  ['callbacks', env.CALLBACKS],
  ['evaluations', env.EVALUATIONS],
  ['jobs-dlq', env.JOBS_DLQ],
  ['jobs-bulk-dlq', env.JOBS_BULK_DLQ],
  ['jobs-slow-dlq', env.JOBS_SLOW_DLQ],
  ['jobs-solo-dlq', env.JOBS_SOLO_DLQ],
  ['batches-dlq', env.BATCHES_DLQ],
  ['callbacks-dlq', env.CALLBACKS_DLQ],
  ['evaluations-dlq', env.EVALUATIONS_DLQ],
]

/** Of those that answered, in their order. `wait` waits for so many milliseconds. */
export async function queueStates(
  queues: readonly AskedQueue[],
  wait: (ms: number) => Promise<void>,
): Promise<QueueState[]> {
  const states: QueueState[] = []
  for (let at = 0; at < queues.length; at += SIDE_BY_SIDE) {
    const asked = queues.slice(at, at + SIDE_BY_SIDE)
    const answers = await Promise.allSettled(asked.map((queue) => stateOf(queue, wait(ASKED_FOR_MS))))
    states.push(...answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])))
  }
  return states
}

async function stateOf([queue, binding]: AskedQueue, late: Promise<void>): Promise<QueueState> {
  const metrics = await Promise.race([binding?.metrics(), late])
  if (!metrics) throw new Error(`The queue ${queue} does not tell how full it is.`)
  const oldestAt = metrics.oldestMessageTimestamp?.getTime() ?? null
  return { queue, messages: metrics.backlogCount, oldestAt }
}
