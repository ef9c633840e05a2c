// paced.ts
import { setTimeout as sleep } from 'node:timers/promises'

const { BASE, TOKEN } = process.env
/** Below this share of the quota, requests are spread over the time that is left. */
const RESERVE = 0.1

/** `fetch` that waits when it is told to, and slows down before. Another `body` is not made: a repetition is the same request. */
async function paced(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { ...init.headers, Authorization: `Bearer ${TOKEN}` }
  for (;;) {
    const response = await fetch(BASE + path, { ...init, headers })
    if (response.status !== 429) {
      await sleep(pauseMs(response.headers))
      return response
    }
    const seconds = Number(response.headers.get('Retry-After') ?? 5)
    await sleep(seconds * 1000 * (1 + Math.random() / 4))
  }
}

/** `RateLimit: "requests";r=30;t=20` and `RateLimit-Policy: "requests";q=6000;w=60`. */
function pauseMs(headers: Headers): number {
  const [, left, seconds] = /;r=(\d+);t=(\d+)/.exec(headers.get('RateLimit') ?? '') ?? []
  const quota = /;q=(\d+)/.exec(headers.get('RateLimit-Policy') ?? '')?.[1]
  if (!left || !seconds || !quota || Number(left) > Number(quota) * RESERVE) return 0
  return (Number(seconds) * 1000) / (Number(left) + 1)
}

const response = await paced('/v1/jobs?limit=1')
console.log(response.status, response.headers.get('RateLimit-Policy'))
