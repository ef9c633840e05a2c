/** The SDK as customers have it, against the Workers under test. It is made here alone, so that all of its exchanges go by here. */
import { inject } from 'vitest'
import { Gateway, type GatewayOptions } from '../../sdk/src/index.ts'
import { checkedFetch } from './conformance/checked-fetch.ts'
import { pause } from './wait.ts'

/** Long enough for the gateway to go on meanwhile, and no spec waits for longer. */
const LONGEST_PAUSE_MS = 100

/** Sends everything once unless told otherwise, so that no failure goes unseen. */
export const newSdk = (token: string, options: Partial<GatewayOptions> = {}): Gateway =>
  new Gateway({
    baseUrl: inject('stack').url,
    token: () => token,
    fetch: checkedFetch,
    sleep: (ms) => pause(Math.min(ms, LONGEST_PAUSE_MS)),
    retry: { retries: 0 },
    ...options,
  } as GatewayOptions)
