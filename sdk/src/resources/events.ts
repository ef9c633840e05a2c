import { type CallOptions, type Core, data } from '../core.ts'
import { listEvents } from '../generated/sdk.gen.ts'
import type { ListEventsData, ListEventsResponses } from '../generated/types.gen.ts'
import { List } from '../list.ts'
import { pauseAfter } from '../wait.ts'

export type EventFilter = Omit<NonNullable<ListEventsData['query']>, 'cursor'>
export type FeedEvent = ListEventsResponses[200]['data'][number]

/** Every event of the last 30 days in one fixed order, each as its webhook tells it. */
export class Events {
  readonly #core: Core

  constructor(core: Core) {
    this.#core = core
  }

  /** Oldest first, up to what there is now. */
  list(filter: EventFilter = {}, options?: CallOptions): List<FeedEvent> {
    return new List((cursor) => {
      const query = { ...filter, ...(cursor !== undefined && { cursor }) }
      return data(listEvents({ ...this.#core.read(options), query }))
    })
  }

  /**
   * The same, and then each event as it happens, until you stop. Keep the ID of the last event that you have dealt with, and go on
   * with it as `after`.
   */
  async *follow(
    { after, ...filter }: EventFilter = {},
    options?: CallOptions,
  ): AsyncGenerator<FeedEvent, void, undefined> {
    for (let last = after; ; ) {
      const query = { limit: 100, ...filter, ...(last !== undefined && { after: last }) }
      const call = { ...this.#core.read(options), query, headers: { Prefer: 'wait=20' } }
      const { data: page, response } = await listEvents(call)
      yield* page.data
      last = page.data.at(-1)?.id ?? last
      const { now, sleep } = this.#core.means
      if (page.data.length === 0) await sleep(pauseAfter(response.headers, now()), options?.signal)
    }
  }
}
