/** What is asked for in a run's jobs: every kind and model, small and large inputs, and the faults that some of them carry along. */
import type { Chance } from './chance.ts'

/** In every input, so that it can be looked for where no input may be. */
export const MARKER = 'zq-marked-input'

export const LABELS = ['law', 'cooking', 'sport']

export const openAiModels = {
  summarize: 'openai/gpt-4o-mini',
  classify: 'openai/gpt-4o-mini',
  report: 'openai/gpt-4o-mini',
  embed: 'openai/text-embedding-3-small',
}

/** Of the jobs of the stand-in for OpenAI, those that meet with a fault of its. */
const FAULTY = 0.7
/** By their names there: every class of failure that it can bring about. Those that take a run's whole time are rare. */
const faultNames = [
  ['400', '400-context-length', '400-content-policy', '401', '403', '404', '408', '413', '422'],
  ['429', '429-quota', '429-retry-after', '429-retry-after-past', '429-retry-after-date', '500', '502-html'],
  ['503', '503-overloaded', '504', '529', 'redirect', 'empty-200', 'html-200', 'other-shape', 'broken-json'],
  ['slow', 'cut', 'cut-in-body', 'content-filter', 'refusal', 'cut-off', 'no-json', 'blank-summary'],
].flat()
const longFaults = ['hangs', 'hangs-after-work', 'hangs-in-body', 'drips']

/** After these the answer still says what it cost. */
export const tellingFaults: readonly (string | null)[] = [
  null,
  'slow',
  'content-filter',
  'refusal',
  'cut-off',
  'no-json',
  'blank-summary',
]

/** Half of them strike a job only once. */
function faultOf(chance: Chance): string {
  if (chance.happens(0.03)) return ` fault:${chance.pick(longFaults)}:once`
  return ` fault:${chance.pick(faultNames)}${chance.happens(0.5) ? ':once' : ''}`
}

export type Models = Record<string, number>

const kinds = { summarize: 4, embed: 2, classify: 2, report: 1 }
const sizes = { small: 17, large: 2, 'large output': 1 }
type Size = keyof typeof sizes

/** A body by these weights of models: no name is the kind's default, `openai` its model there. */
export function bodyOf(models: Models, chance: Chance): object {
  const size = chance.weighed(sizes)
  const kind = size === 'large output' ? 'embed' : chance.weighed(kinds)
  const named = chance.weighed(models)
  const model = named === 'openai' ? openAiModels[kind] : named
  const fault = named === 'openai' && chance.happens(FAULTY) ? faultOf(chance) : ''
  return {
    kind,
    input: inputs[kind](size, fault, chance),
    ...(model && { model }),
    priority: chance.weighed({ high: 1, normal: 3, low: 1 }),
    ...(chance.happens(0.03) && { deadline_seconds: chance.between(5, 8) }),
  }
}

type Input = (size: Size, fault: string, chance: Chance) => object

const inputs: Record<keyof typeof kinds, Input> = {
  summarize: (size, fault, chance) => ({ text: textOf(lengths[size], chance) + fault }),
  classify: (size, fault, chance) => ({ text: textOf(lengths[size], chance) + fault, labels: LABELS }),
  report: (size, fault, chance) => ({
    sources: [{ title: 'A source', text: textOf(lengths[size], chance) + fault }],
  }),
  embed: (size, fault, chance) =>
    size === 'large output'
      ? { texts: Array.from({ length: 32 }, () => textOf(100, chance) + fault) }
      : { texts: [textOf(lengths[size] / 2, chance), textOf(lengths[size] / 2, chance) + fault] },
}

/** Over 32 KiB lies in R2. An input of the largest size is only in the answer. */
const lengths: Record<Size, number> = { small: 300, large: 40_000, 'large output': 300 }

const sentences = [
  'All human beings are born free and equal in dignity and rights.',
  'They are endowed with reason and conscience and should act towards one another in a spirit of brotherhood.',
  'Everyone has the right to life, liberty and security of person.',
  'No one shall be held in slavery or servitude; slavery and the slave trade shall be prohibited in all their forms.',
  'Everyone has the right to recognition everywhere as a person before the law.',
]

/** Marked, and about as long as asked for. */
export function textOf(characters: number, chance: Chance): string {
  let text = `${MARKER} ${chance.between(0, 1e9)}.`
  while (text.length < Math.min(characters, 31_000)) text += ` ${chance.pick(sentences)}`
  while (text.length < characters) text += ` ${text.slice(0, characters - text.length)}`
  return text
}
