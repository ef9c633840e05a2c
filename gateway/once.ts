/** An operator's POST under an Idempotency-Key: done once, answered alike ever after. */
import type { Context } from 'hono'
import { GONE } from '../ledger/directory/deletion.ts'
import { cameBetween, openDirectory } from '../ledger/directory/open.ts'
import { type Act, findOperatorKey } from '../ledger/directory/operations.ts'
import { dropKey, holdKey, keepAnswer, UNANSWERED } from '../ledger/directory/operator-keys.ts'
import { requestKey } from './idempotency.ts'
import { Problem } from './problem.ts'
import type { GatewayContext, IdempotencyKey } from './router.ts'

/**
 * Does the work, in one transaction that leaves traces as the act says, and answers; `keep` is what a repetition is answered with. Where
 * another act came between, it is done once more: what it goes by it reads itself.
 */
type Work<T> = (actFor: (keep: T) => Act) => Promise<T>

export async function once<T>(c: Context<GatewayContext>, reason: string, work: Work<T>): Promise<T> {
  const key = await requestKey(c)
  const actFor = (keep: T): Act => ({
    operator: c.var.principal.clientId,
    reason,
    at: Date.now(),
    kept: key && { key, response: JSON.stringify(keep) },
  })
  const first = key && (await firstAnswer<T>(c, key))
  if (first) return first
  try {
    return await work(actFor)
  } catch (error) {
    // Of two requests at once under one key, the transaction of one fails; the other's answer is there then.
    const other = key && (await firstAnswer<T>(c, key))
    if (other) return other
    if (!cameBetween(error)) throw error
    return work(actFor)
  }
}

/**
 * The same for work that is not one transaction: the key is held while it runs, and a repetition meanwhile is told to wait. If the
 * work breaks off, a repetition may take it up after a minute. `kept` makes of the answer what a repetition gets.
 */
export async function onceInSteps<T>(
  c: Context<GatewayContext>,
  work: () => Promise<T>,
  kept: (answer: T) => unknown = (answer) => answer,
): Promise<T> {
  const key = await requestKey(c)
  if (!key) return work()
  const directory = openDirectory(c.env.DIRECTORY)
  const first = await firstAnswer<T>(c, key)
  if (first) return first
  if (!(await holdKey(directory, key, Date.now())))
    throw new Problem('idempotency-in-progress', { headers: { 'Retry-After': '5' } })
  try {
    const answer = await work()
    await keepAnswer(directory, key, JSON.stringify(kept(answer)))
    return answer
  } catch (error) {
    await dropKey(directory, key)
    throw error
  }
}

async function firstAnswer<T>(c: Context<GatewayContext>, key: IdempotencyKey): Promise<T | null> {
  const row = await findOperatorKey(openDirectory(c.env.DIRECTORY), key.hash)
  if (!row) return null
  if (row.fingerprint !== key.fingerprint)
    throw new Problem('idempotency-key-reused', {
      detail: 'This key came with another body or query before.',
    })
  if (row.response === UNANSWERED) return null
  if (row.response === GONE)
    throw new Problem('not-found', { detail: 'What this request was about has been deleted since.' })
  c.header('Idempotency-Replayed', 'true')
  return JSON.parse(row.response) as T
}
