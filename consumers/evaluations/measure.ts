/** What is measured of an answer, by the kind of work: one row for each. Pure. */
import { z } from '@hono/zod-openapi'
import type { KindName } from '../../catalog/kind.ts'
import { kinds } from '../../catalog/kinds.ts'
import { countCharacters } from '../../catalog/words.ts'
import { isFoundedIn } from '../batches/outcome.ts'
import type { Case, Essence, Measure } from './answer.ts'
import { mean } from './figures.ts'
import { nearest, overlap, shareHeld, shareTogether } from './likeness.ts'

type Measured = Pick<Measure, 'length' | 'dimensions' | 'score' | 'essence'>

const ExpectedText = z.object({
  phrases: z.array(z.string()).optional(),
  reference: z.string().optional(),
})
const ExpectedGroups = z.object({ groups: z.array(z.int()) })

const scoreOf = <E>(expected: unknown, schema: z.ZodType<E>, score: (expected: E) => number) =>
  expected === undefined ? null : score(schema.parse(expected))

const ofText = (text: string, expected: unknown): Measured => ({
  length: countCharacters(text),
  dimensions: null,
  score: scoreOf(expected, ExpectedText, ({ phrases, reference }) => {
    const held = phrases === undefined ? [] : [shareHeld(text, phrases)]
    const alike = reference === undefined ? [] : [overlap(text, reference)]
    return mean([...held, ...alike]) ?? 0
  }),
  essence: { text },
})

/** `output` holds the kind's contract. */
const rows: Record<KindName, (output: unknown, expected: unknown) => Measured> = {
  summarize: (output, expected) => ofText(kinds.summarize.output.parse(output).summary, expected),
  report: (output, expected) => ofText(kinds.report.output.parse(output).markdown, expected),
  classify: (output, expected) => {
    const label = kinds.classify.output.parse(output).labels[0]?.label ?? ''
    const score = scoreOf(expected, z.string(), (wanted) => Number(wanted === label))
    return { length: null, dimensions: null, score, essence: { label } }
  },
  embed: (output, expected) => {
    const { embeddings, dimensions } = kinds.embed.output.parse(output)
    const neighbours = nearest(embeddings)
    const score = scoreOf(expected, ExpectedGroups, ({ groups }) => shareTogether(neighbours, groups))
    return { length: null, dimensions, score, essence: { neighbours } }
  },
  // Never asked for: its inputs are files.
  transcribe: (output, expected) => ofText(kinds.transcribe.output.parse(output).text, expected),
}

export const measure = (kind: KindName, { input, expected }: Case, output: unknown): Measure => ({
  ...rows[kind](output, expected),
  founded: isFoundedIn(kind, output, input),
})

/** From 0 to 1: how far two answers to the same input say the same. */
export function agreement(a: Essence, b: Essence): number {
  if ('label' in a && 'label' in b) return Number(a.label === b.label)
  if ('text' in a && 'text' in b) return overlap(a.text, b.text)
  if ('neighbours' in a && 'neighbours' in b) return shareSame(a.neighbours, b.neighbours)
  throw new Error('Answers of different kinds are not compared.')
}

const shareSame = (a: readonly number[], b: readonly number[]) =>
  a.filter((place, at) => place === b[at]).length / Math.max(1, a.length)
