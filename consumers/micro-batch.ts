/** Collects what comes within a short time into one call; each caller gets its own answer, or the call's failure. */
interface Waiting<I, O> {
  readonly item: I
  readonly resolve: (answer: O) => void
  readonly reject: (error: unknown) => void
}

export class MicroBatch<I, O> {
  readonly #call: (items: I[]) => Promise<O[]>
  readonly #windowMs: number
  #waiting: Waiting<I, O>[] = []

  constructor(windowMs: number, call: (items: I[]) => Promise<O[]>) {
    this.#windowMs = windowMs
    this.#call = call
  }

  add(item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      if (this.#waiting.length === 1) setTimeout(() => void this.#flush(), this.#windowMs)
    })
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting
    this.#waiting = []
    try {
      const answers = await this.#call(batch.map(({ item }) => item))
      for (const [at, { resolve, reject }] of batch.entries()) {
        const answer = answers[at]
        if (answer === undefined) reject(new Error('The call answered too few items.'))
        else resolve(answer)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}
