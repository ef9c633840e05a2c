/** Reading with patience: an answer that tells nothing yet is waited upon, as one request, without anybody asking again meanwhile. */
import type { LedgerContext } from './context.ts'
import type { Outcome, Reply } from './replies.ts'
import type { LedgerRuntime } from './runtime.ts'
import { type Patience, patiently } from './waiters.ts'

/** `patient`: false when it was to wait and could not, since too many calls were waiting. */
export type Patient<T> = T & { readonly patient: boolean }

type Runtime = Pick<LedgerRuntime, 'desk' | 'waiters' | 'db'>

interface Reading<T> {
  readonly read: (ctx: LedgerContext) => Outcome<T>
  /** Whether the value is one to wait upon. */
  readonly isBare: (value: T) => boolean
  /** What tells, each time that it is asked, whether there is something new by now. */
  readonly news: () => () => boolean
}

/** Reads something that is waited upon until it is worth telling. */
export const watch = <T extends object>(
  runtime: Runtime,
  patience: Patience | null,
  read: (ctx: Pick<LedgerContext, 'db' | 'now'>) => Outcome<T>,
  isWorthTelling: (value: T) => boolean,
): Promise<Reply<Patient<T>>> =>
  readPatiently(runtime, patience, {
    read,
    isBare: (value) => !isWorthTelling(value),
    news: () => () => {
      const again = read({ db: runtime.db, now: Date.now() })
      return !again.ok || isWorthTelling(again.value)
    },
  })

/** Without patience it is a read like any other. */
export async function readPatiently<T extends object>(
  { desk, waiters }: Runtime,
  patience: Patience | null,
  { read, isBare, news }: Reading<T>,
): Promise<Reply<Patient<T>>> {
  const { answer, patient } = await patiently(
    (isAgain) => desk.admit(read, isAgain),
    (reply) => reply.ok && isBare(reply.value),
    () => patience && waiters.wait(patience, news()),
  )
  return answer.ok ? { ...answer, value: { ...answer.value, patient } } : answer
}
