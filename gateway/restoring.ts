/** Puts a tenant's ledger back to a point in time: asked first whether it can, then held, then put back, then told. */
import { isPassing, withFreshStub } from '../ledger/call.ts'
import type { Outcome } from '../ledger/replies.ts'
import { callLedger } from './ledgers.ts'
import { Problem } from './problem.ts'

/** The bookmark of the ledger at that time; 503 where no history is kept. Changes nothing. */
export async function bookmarkAt(env: GatewayEnv, name: string, at: number): Promise<string> {
  const outcome = await callLedger<Outcome<string>>(env, name, (ledger) => ledger.bookmarkAt(at))
  if (!outcome.ok) throw Problem.fromRefusal(outcome.refusal)
  return outcome.value
}

/** Resolves when the ledger lives on what was on record then; 503 if it was not put back. The call that does it never answers. */
export async function putBack(env: GatewayEnv, name: string, bookmark: string): Promise<void> {
  const lifeNow = () =>
    withFreshStub(
      () => env.LEDGERS.getByName(name),
      (ledger) => ledger.life(),
    )
  try {
    const before = await lifeNow()
    const cause = await env.LEDGERS.getByName(name)
      .restoreTo(bookmark)
      .then(
        () => new Error('The ledger was not ended.'),
        (error: unknown) => error,
      )
    if ((await lifeNow()) === before) throw cause
  } catch (error) {
    if (isPassing(error)) throw Problem.unavailable(error)
    throw new Problem('unavailable', {
      detail: 'The tenant is held, and its ledger was not put back. Ask once more, or release the tenant.',
      headers: { 'Retry-After': '5' },
      cause: error,
    })
  }
}
