/** A consumer's process that can die: from then on nothing it says reaches a ledger, and nobody answers it. */
import type { LedgerStub } from '../../../ledger/call.ts'
import type { Settlement } from '../../../ledger/settle.ts'
import type { Fate } from './fate.ts'
import { tell } from './tell.ts'

export class Process {
  readonly fate: Fate
  readonly #name: string
  #alive = true
  #calls = 0
  #die: () => void = () => undefined
  /** Resolves at its death. */
  readonly death: Promise<void>

  constructor(fate: Fate, name: string) {
    this.fate = fate
    this.#name = name
    this.death = new Promise((resolve) => {
      this.#die = resolve
    })
  }

  get isAlive() {
    return this.#alive
  }

  kill(): void {
    this.#alive = false
    this.#die()
  }

  nextCall = (method: string) => `${this.#name} ${method} ${this.#calls++}`
}

const never = () => new Promise<never>(() => undefined)

type Method = (...args: unknown[]) => Promise<unknown>

/** What may end the process before a call of its. */
type Doom = (method: string, args: unknown) => void

/** The ledger as this process reaches it. */
export const mortalStub = (stub: LedgerStub, process: Process, doom: Doom = settling(process)): LedgerStub =>
  new Proxy(stub, {
    get:
      (target, method: string) =>
      (args: unknown, ...more: unknown[]) => {
        const call: Method = (...all) =>
          (target as unknown as Record<string, Method>)[method]?.(...all) ?? never()
        doom(method, args)
        return calling(process, method, () => call(args, ...more), args)
      },
  })

async function calling(process: Process, method: string, call: () => Promise<unknown>, args: unknown) {
  if (!process.isAlive) return never()
  const fault = method === 'heartbeat' ? null : process.fate.callFault(process.nextCall(method))
  if (fault) tell('chaos.call_failed', { method, fault })
  if (fault === 'unreachable') throw passing()
  const answer = await call()
  if (fault === 'reply_lost') {
    if (method === 'settleJobs')
      for (const { jobId } of args as Settlement[]) tell('chaos.unheard', { job_id: jobId })
    throw passing()
  }
  return process.isAlive ? answer : never()
}

const settling =
  (process: Process): Doom =>
  (method, args) => {
    if (method === 'settleJobs') killIfDoomed(process, args as Settlement[])
  }

function killIfDoomed(process: Process, settlements: Settlement[]): void {
  const doomed = settlements.find(({ jobId, attempt }) => process.fate.kills(jobId, attempt))
  if (!doomed || !process.isAlive) return
  process.kill()
  for (const { jobId, attempt } of settlements) tell('chaos.killed', { job_id: jobId, attempt })
}

/** What a stub throws when the platform failed the call. */
const passing = () => Object.assign(new Error('Network connection lost.'), { retryable: true })
