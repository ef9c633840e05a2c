import { type CallOptions, type Core, data } from '../core.ts'
import { getLimits, getUsage, listModels } from '../generated/sdk.gen.ts'
import type { GetUsageData } from '../generated/types.gen.ts'

export type UsageQuery = Omit<NonNullable<GetUsageData['query']>, 'format'>

/** What can be asked for, what of the plan is left, and what was used. */
export class Account {
  readonly #core: Core

  constructor(core: Core) {
    this.#core = core
  }

  /** The models that this tenant can name, with what they take and cost. */
  async models(options?: CallOptions) {
    return (await data(listModels(this.#core.read(options)))).data
  }

  /** The plan, and what of each of its limits is left now. */
  limits(options?: CallOptions) {
    return data(getLimits(this.#core.read(options)))
  }

  /** By day, kind or model: of this month so far, unless `from` and `to` (dates in UTC, both included) say otherwise. */
  usage(query: UsageQuery = {}, options?: CallOptions) {
    return data(getUsage({ ...this.#core.read(options), query }))
  }
}
