/** Pauses and bounds that end with the caller's signal. */

export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>

export const sleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const over = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', over)
      resolve()
    }, ms)
    signal?.addEventListener('abort', over, { once: true })
  })

/** What is waited for, unless the caller is gone before; the thing itself goes on for others. */
export function unlessAborted<T>(pending: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const over = () => reject(signal.reason)
    if (signal.aborted) over()
    signal.addEventListener('abort', over, { once: true })
    pending.then(resolve, reject).finally(() => signal.removeEventListener('abort', over))
  })
}

/** A signal of its own, aborted with the caller's or when its time is up; `inTime` lifts the bound of time. */
export function bounded(caller: AbortSignal, timeoutMs: number): { signal: AbortSignal; inTime: () => void } {
  const controller = new AbortController()
  const late = () => controller.abort(new Error(`No answer within ${timeoutMs} ms.`))
  const timer = setTimeout(late, timeoutMs)
  if (caller.aborted) controller.abort(caller.reason)
  caller.addEventListener('abort', () => controller.abort(caller.reason), { once: true })
  return { signal: controller.signal, inTime: () => clearTimeout(timer) }
}
