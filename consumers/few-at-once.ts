/** An invocation has six connections. */
const SIDE_BY_SIDE = 5

/** Does the work for each; it must not throw. */
export async function fewAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += SIDE_BY_SIDE)
    await Promise.all(items.slice(at, at + SIDE_BY_SIDE).map(work))
}
