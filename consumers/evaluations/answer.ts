/** What is kept of an answer until the report is made: figures, and as much of it as the comparison needs. */
import { z } from '@hono/zod-openapi'
import {
  createIfAbsent,
  evaluationAnswerKey,
  evaluationAnswersFolder,
  evaluationCasesKey,
} from '../../ledger/content.ts'
import { failureClasses } from '../../openapi/job-words.ts'

export const sides = ['present', 'candidate'] as const
export type Side = (typeof sides)[number]

/** Of one case, at one of the two models. */
export interface Run {
  readonly side: Side
  readonly index: number
}

/** What answers are compared by: the best label, the text, or for each text of an input the place of its nearest neighbour. */
const Essence = z.union([
  z.object({ label: z.string() }),
  z.object({ text: z.string() }),
  z.object({ neighbours: z.array(z.int()) }),
])
export type Essence = z.infer<typeof Essence>

const Measure = z.object({
  /** In characters; null where answers of the kind have no length. */
  length: z.int().nullable(),
  dimensions: z.int().nullable(),
  /** Whether its numbers and names stand in the input. */
  founded: z.boolean(),
  /** From 0 to 1; null where the case does not say what is expected. */
  score: z.number().nullable(),
  essence: Essence,
})
export type Measure = z.infer<typeof Measure>

const Answer = z.object({
  /** What the case failed of; null for a usable answer. */
  class: z.enum(failureClasses).nullable(),
  /** Whether the last answer was nothing, or a form around nothing. */
  empty: z.boolean(),
  attempts: z.int(),
  /** Of the attempt that was answered; null where none was. */
  latencyMs: z.int().nullable(),
  /** Of all attempts. */
  costMicroUsd: z.int(),
  /** Null unless the answer is usable. */
  measure: Measure.nullable(),
})
export type Answer = z.infer<typeof Answer>

export type Answers = ReadonlyMap<string, Answer>

export const nameOfRun = ({ side, index }: Run) => `${side}-${index}`

const Cases = z.array(z.object({ input: z.unknown(), expected: z.unknown().optional() }))
export type Case = z.infer<typeof Cases>[number]

/** The inputs, as they were parsed by the gateway; null when they have gone. */
export async function readCases(content: R2Bucket, evaluationId: string): Promise<Case[] | null> {
  const object = await content.get(evaluationCasesKey(evaluationId))
  return object && Cases.parse(await object.json())
}

/** Those of earlier turns. There are no more than a page of a listing holds. */
export async function readAnswers(content: R2Bucket, evaluationId: string): Promise<Map<string, Answer>> {
  const folder = evaluationAnswersFolder(evaluationId)
  const { objects } = await content.list({ prefix: folder })
  const answers = new Map<string, Answer>()
  for (const { key } of objects) {
    const answer = await answerAt(content, key)
    if (answer) answers.set(key.slice(folder.length), answer)
  }
  return answers
}

/** Of two answers to the same, the first that was kept counts: two consumers may have been at work. */
export async function keepAnswer(
  content: R2Bucket,
  evaluationId: string,
  { side, index }: Run,
  answer: Answer,
): Promise<Answer> {
  const key = evaluationAnswerKey(evaluationId, side, index)
  const kept = await content.put(key, JSON.stringify(answer), createIfAbsent)
  return kept ? answer : ((await answerAt(content, key)) ?? answer)
}

async function answerAt(content: R2Bucket, key: string): Promise<Answer | null> {
  const object = await content.get(key)
  return object && Answer.parse(await object.json())
}
