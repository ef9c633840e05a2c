/**
 * The inputs of a chunk whose answer is looked for: read when they are first asked for, once there is memory for them and for the
 * answer. Whoever asks for an answer that is not there yet costs neither.
 */
import type { ChunkOrder } from '../../ledger/batches/protocol.ts'
import type { ChunkInput } from '../batch-provider.ts'
import { forAnswer } from '../memory.ts'
import { BrokenSource, readableInputs } from './chunk-content.ts'
import type { Desk } from './desk.ts'
import { sizeAnswered } from './sizes.ts'

export class HeldInputs {
  readonly #desk: Desk
  readonly #order: ChunkOrder
  readonly #signal: AbortSignal
  #reading: Promise<readonly ChunkInput[]> | null = null
  #letGo: () => void = () => undefined

  constructor(desk: Desk, order: ChunkOrder, signal: AbortSignal) {
    this.#desk = desk
    this.#order = order
    this.#signal = signal
  }

  read(): Promise<readonly ChunkInput[]> {
    this.#reading ??= this.#read()
    return this.#reading
  }

  /** When the answer is dealt with, or will not be. */
  letGo(): void {
    this.#letGo()
  }

  async #read(): Promise<readonly ChunkInput[]> {
    this.#letGo = await forAnswer(sizeAnswered(this.#order), this.#signal)
    const inputs = await readableInputs(this.#desk, this.#order)
    if (!inputs) throw new BrokenSource()
    return inputs
  }
}
