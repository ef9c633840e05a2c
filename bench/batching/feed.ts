/** A tenant's feed of events, followed as a customer without a receiver would: with requests that wait. */
import type { Agent } from 'node:http'
import type { Caller } from '../support/gateway.ts'
import { ask } from '../support/load.ts'

const LIMIT = 100

export interface FeedEvent {
  readonly id: string
  readonly type: string
  readonly data: { readonly id: string; readonly status: string; readonly metadata: Record<string, string> }
}

interface Page {
  readonly data: readonly FeedEvent[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

/** Page after page, without an end. */
export async function* follow(
  { url, authorization }: Caller,
  types: readonly string[],
  agent: Agent,
): AsyncGenerator<readonly FeedEvent[]> {
  const headers = { Authorization: authorization, Prefer: 'wait=20' }
  for (let after: string | null = null; ; ) {
    const query = new URLSearchParams({
      limit: String(LIMIT),
      types: types.join(','),
      ...(after && { after }),
    })
    const shot = { method: 'GET', path: `/v1/events?${query}`, headers, body: '' }
    const { data } = JSON.parse(await ask(url, shot, 200, agent)) as Page
    after = data.at(-1)?.id ?? after
    if (data.length > 0) yield data
  }
}
