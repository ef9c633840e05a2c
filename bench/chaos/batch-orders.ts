/** What is asked for in a run's batches: each sort in its turn, so that a run that is long enough has all of them. */
import { textOf } from './bodies.ts'
import type { Chance } from './chance.ts'

/** How a batch goes on its way. */
export interface BatchSort {
  readonly model?: string
  /** In its first item: what goes wrong at the stand-in for OpenAI. */
  readonly wrong?: string
  /** It would not end by itself before. */
  readonly deadlineSeconds?: number
  readonly onDeadline?: 'expire' | 'run_individually'
  readonly cancelled?: true
}

const OPENAI = 'openai/gpt-4o-mini'

/** Calls that fail once, states and answers that are wrong. */
const wrongs = [
  ...['upload:503', 'create:500', 'create:cut', 'create:hangs-after-work', 'create:429', 'read:500'],
  ...['read:html-200', 'content:cut', 'state:failed'],
]
  .map((wrong) => `batch-${wrong}:once`)
  .concat(['twice', 'foreign', 'missing', 'none', 'broken'].map((wrong) => `batch-answers:${wrong}`))
  .concat(['failed', 'expired', 'cancelled', 'new-word'].map((wrong) => `batch-state:${wrong}`))

const misbehaving = [
  ...[
    'priced',
    'flaky',
    'unavailable',
    'rate-limited',
    'permission-denied',
    'content-filtered',
    'invalid-output',
  ],
  ...['batch-partial', 'batch-missing', 'batch-duplicates'],
]

const stuck = { model: 'test/batch-stuck', deadlineSeconds: 6 }

/** Those that a run must have met with come first. */
const sorts: readonly BatchSort[] = [
  { ...stuck, onDeadline: 'expire' },
  { ...stuck, onDeadline: 'run_individually' },
  { ...stuck, cancelled: true },
  { model: 'test/hangs', deadlineSeconds: 6 },
  { model: OPENAI },
  ...misbehaving.map((name) => ({ model: `test/${name}` })),
  ...wrongs.flatMap((wrong): BatchSort[] => [{ model: OPENAI, wrong }, {}]),
]

export const sortOf = (at: number): BatchSort => sorts[at % sorts.length] ?? {}

export interface Item {
  readonly external_reference: string
  readonly input: object
}

/** Named after their batch, since what is open twice is refused. */
export const itemsOf = (key: string, count: number, { wrong = '' }: BatchSort, chance: Chance): Item[] =>
  Array.from({ length: count }, (_, at) => ({
    external_reference: `${key}.${at}`,
    input: { text: textOf(chance.happens(0.05) ? 40_000 : 300, chance) + (at === 0 ? ` ${wrong}` : '') },
  }))
