/** What a turn at an evaluation is made of. */
import type { Gates } from '../gate/gates.ts'
import type { Provider } from '../provider.ts'

export interface TurnParts {
  readonly env: Pick<ConsumersEnv, 'DIRECTORY' | 'CONTENT'>
  readonly gates: Pick<Gates, 'closedUntil' | 'report'>
  readonly providers: Readonly<Record<string, Provider>>
  /** How long one call of a provider may take. */
  readonly timeoutMs: number
  readonly now: () => number
  readonly random: () => number
  readonly sleep: (ms: number) => Promise<void>
}
