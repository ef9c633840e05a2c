/** The customers' receivers, as the benchmark drives them. */
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

const POLL_MS = 20

/** `quick` answers 204 at once, `gated` as soon as the gate is open, `hanging` never. */
export type Behaviour = 'quick' | 'gated' | 'hanging'
export type Counts = Record<Behaviour, number>
export type Command = 'counts' | 'take' | 'openGate' | 'closeGate' | 'cutHanging'

export interface Received {
  readonly path: string
  /** When its headers had come, on the monotonic clock. */
  readonly at: number
  /** The values of the `webhook-…` headers. */
  readonly id: string
  readonly timestamp: string
  readonly signature: string
  readonly text: string
}

export class Receivers {
  readonly #thread: Worker
  readonly #origin: string

  private constructor(thread: Worker, port: number) {
    this.#thread = thread
    this.#origin = `http://127.0.0.1:${port}`
  }

  static async start(): Promise<Receivers> {
    const thread = new Worker(join(import.meta.dirname, 'receiver-thread.ts'))
    const [port] = (await once(thread, 'message')) as [number]
    return new Receivers(thread, port)
  }

  urlFor(behaviour: Behaviour, name: string): string {
    return `${this.#origin}/${behaviour}/${name}`
  }

  counts(): Promise<Counts> {
    return this.ask('counts')
  }

  /** What has come and was not taken yet. */
  take(): Promise<Received[]> {
    return this.ask('take')
  }

  /** One question at a time: answers come in the order of the questions, and are told apart by nothing else. */
  async ask<T>(command: Command): Promise<T> {
    const answered = once(this.#thread, 'message')
    this.#thread.postMessage(command)
    const [answer] = (await answered) as [T]
    return answer
  }

  /** Resolves once so many requests of this behaviour have come in all. */
  async waitFor(behaviour: Behaviour, count: number, timeoutMs: number): Promise<void> {
    const until = Date.now() + timeoutMs
    for (;;) {
      const come = (await this.counts())[behaviour]
      if (come >= count) return
      if (Date.now() > until)
        throw new Error(`${come} of ${count} webhooks (${behaviour}) in ${timeoutMs} ms.`)
      await sleep(POLL_MS)
    }
  }

  async stop(): Promise<void> {
    await this.#thread.terminate()
  }
}
