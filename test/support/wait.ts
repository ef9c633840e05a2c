/** How often it is looked is a load on what is looked at: the longer it takes, the less often. */
const PART_OF_WAIT = 0.15
const LEAST_MS = 25
const MOST_MS = 250

/** Waits until something is so; the time is a bound on failing, not a pause. */
export async function until<T>(
  what: string,
  read: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  timeoutMs = 60_000,
): Promise<T> {
  const since = Date.now()
  for (;;) {
    const value = await read()
    if (value) return value
    const waited = Date.now() - since
    if (waited > timeoutMs) throw new Error(`Waited ${timeoutMs} ms in vain: ${what}`)
    await pause(Math.max(LEAST_MS, Math.min(MOST_MS, waited * PART_OF_WAIT)))
  }
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
