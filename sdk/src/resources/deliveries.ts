import { type CallOptions, type Core, data, type PostOptions } from '../core.ts'
import { getDelivery, listDeliveries, retryDelivery } from '../generated/sdk.gen.ts'
import type { ListDeliveriesData } from '../generated/types.gen.ts'
import { idOf } from '../kinds.ts'
import { List } from '../list.ts'

export type DeliveryFilter = Omit<NonNullable<ListDeliveriesData['query']>, 'cursor'>

/** What was sent where, each attempt, and what the receiver answered. */
export class Deliveries {
  readonly #core: Core

  constructor(core: Core) {
    this.#core = core
  }

  get(delivery: string | { id: string }, options?: CallOptions) {
    return data(getDelivery({ ...this.#core.read(options), path: { delivery_id: idOf(delivery) } }))
  }

  /** Newest first. */
  list(filter: DeliveryFilter = {}, options?: CallOptions) {
    return new List((cursor) => {
      const query = { ...filter, ...(cursor !== undefined && { cursor }) }
      return data(listDeliveries({ ...this.#core.read(options), query }))
    })
  }

  /** Sends it again now. */
  async retry(delivery: string | { id: string }, options?: PostOptions) {
    const call = { ...(await this.#core.post(options)), path: { delivery_id: idOf(delivery) } }
    return data(retryDelivery(call))
  }
}
