/** Waits until something is so; the time is a bound on failing, not a pause. */
export async function until<T>(
  what: string,
  read: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  timeoutMs = 60_000,
): Promise<T> {
  const endsAt = Date.now() + timeoutMs
  for (;;) {
    const value = await read()
    if (value) return value
    if (Date.now() > endsAt) throw new Error(`Waited ${timeoutMs} ms in vain: ${what}`)
    await pause(50)
  }
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
