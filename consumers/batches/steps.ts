/**
 * The steps of one Workflow instance. Each has a name of its own, and small results: what a step found out lies in the ledger.
 *
 * A step is tried a few times by the engine. One that fails for good ends the instance as `errored`; the ledger notices that nobody
 * shows itself for the batch, and the next instance takes over.
 */
import type { WorkflowStep, WorkflowStepConfig } from 'cloudflare:workers'
import type { CopyOrder, Look, PlanOrder } from '../../ledger/batches/protocol.ts'
import { callOffChunk } from './call-off.ts'
import { copySource } from './copy.ts'
import { type BatchParams, type Desk, deskFor } from './desk.ts'
import { gatherChunk } from './gather.ts'
import { startNext, WAKE } from './instances.ts'
import { openChunk } from './open.ts'
import { planBatch } from './plan.ts'
import { pollChunks } from './poll.ts'
import { submitChunk, type Tried } from './submit.ts'
import type { Standing } from './under-way.ts'

const retries = { limit: 3, delay: 500, backoff: 'exponential' } as const
const brief: WorkflowStepConfig = { retries, timeout: '1 minute' }
const long: WorkflowStepConfig = { retries, timeout: '15 minutes' }

/** The shortest time that the engine waits for an event in production. */
const LEAST_EVENT_WAIT_MS = 1000

export interface Looked {
  readonly look: Look
  /** How submissions stood. */
  readonly standing: Standing
  readonly at: number
}

/** As the engine declares it, but for what it says of results, which does not see through a type parameter. */
interface EngineStep extends Pick<WorkflowStep, 'sleep' | 'waitForEvent'> {
  do<T>(name: string, config: WorkflowStepConfig, body: () => Promise<T>): Promise<T>
}

export class Steps {
  readonly #env: ConsumersEnv
  readonly #params: BatchParams
  readonly #step: EngineStep
  #round = 0
  #count = 0

  constructor(env: ConsumersEnv, params: BatchParams, step: WorkflowStep) {
    this.#env = env
    this.#params = params
    this.#step = step as EngineStep
  }

  /** So far. */
  get count() {
    return this.#count
  }

  /** Begins a round. */
  look(standing: () => Standing): Promise<Looked> {
    this.#round++
    const over = { look: { kind: 'over' }, standing: { underWay: [], putOff: [] }, at: 0 } as const
    return this.#do<Looked>('look', brief, over, async (desk) => ({
      // Before the ledger is asked: what ends meanwhile the next look sees, and what the ledger says of it is not taken for older.
      standing: standing(),
      look: await desk.ledger(
        async (ledger) =>
          // What comes through a call has lost how long its tuples are.
          (await ledger.lookAtBatch(desk.acting)) as Look,
      ),
      at: Date.now(),
    }))
  }

  copy(order: CopyOrder) {
    return this.#do('copy', long, false, (desk) => copySource(desk, order))
  }

  plan(order: PlanOrder) {
    return this.#do('plan', long, 'over', (desk) => planBatch(desk, order))
  }

  submit(model: string, chunk: number): Promise<Tried> {
    const turn = `${this.#params.instance}.${this.#round}`
    return this.#do<Tried>(`submit ${chunk}`, long, null, (desk) => submitChunk(desk, model, chunk, turn))
  }

  poll(chunks: readonly number[]) {
    return this.#do('poll', long, {}, (desk) => pollChunks(desk, chunks))
  }

  open(chunk: number) {
    return this.#do(`open ${chunk}`, long, 0, (desk) => openChunk(desk, chunk))
  }

  gather(chunk: number) {
    return this.#do(`gather ${chunk}`, long, null, (desk) => gatherChunk(desk, chunk))
  }

  callOff(chunk: number) {
    return this.#do(`call off ${chunk}`, brief, null, (desk) => callOffChunk(desk, chunk))
  }

  /** Until the time has passed, or somebody says that there is something to do. What is said while nobody waits is kept by the engine. */
  async wait(ms: number): Promise<void> {
    this.#count++
    const name = `${this.#round} wait`
    if (ms < LEAST_EVENT_WAIT_MS) return this.#step.sleep(name, ms)
    await this.#step.waitForEvent(name, { type: WAKE, timeout: ms }).catch(unlessTimedOut)
  }

  /** An instance has a limited number of steps; the batch goes on with the next. */
  handOver() {
    return this.#do('hand over', brief, null, () => startNext(this.#env, this.#params))
  }

  /** `gone`: what it comes to where the tenant is not there any more. */
  #do<T>(name: string, config: WorkflowStepConfig, gone: T, body: (desk: Desk) => Promise<T>): Promise<T> {
    this.#count++
    return this.#step.do(`${this.#round} ${name}`, config, async () => {
      const desk = await deskFor(this.#env, this.#params)
      return desk ? body(desk) : gone
    })
  }
}

/** The engine tells it by an exception, and nothing but its text is sure to be the same everywhere. */
function unlessTimedOut(error: unknown): void {
  if (!/time(d )?out/i.test(String(error))) throw error
}
