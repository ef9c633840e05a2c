/** Models that are not dispatched for now, because their provider's limits let nothing through. In memory: forgetting costs one refusal. */
import { earliest } from './earliest.ts'

export class Pauses {
  readonly #until = new Map<string, number>()

  /** No job of the model is dispatched before `until`; an earlier word does not shorten a later one. */
  pause(model: string, until: number): void {
    this.#until.set(model, Math.max(until, this.#until.get(model) ?? 0))
  }

  has(model: string, now: number): boolean {
    return (this.#until.get(model) ?? 0) > now
  }

  /** The models paused now. */
  models(now: number): string[] {
    for (const [model, until] of this.#until) if (until <= now) this.#until.delete(model)
    return [...this.#until.keys()]
  }

  /** When the first pause ends; null without any. */
  nextEnd(now: number): number | null {
    return earliest(this.models(now).map((model) => this.#until.get(model) ?? now))
  }
}
