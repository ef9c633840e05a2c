/**
 * What every kind of job declares about itself: how its input, parameters and output look, and when an output counts as one.
 * Pure. A new kind is one new file in `kinds/`, its name here, and the rows that the compiler then asks for.
 */
import { z } from '@hono/zod-openapi'
import type { FileText } from './file-texts.ts'
import type { FileForm } from './file-types.ts'
import { countCharacters } from './words.ts'

export const kindNames = ['summarize', 'embed', 'classify', 'report', 'transcribe'] as const
export type KindName = (typeof kindNames)[number]

/** A checked output, or what is wrong with it: our own words, never the provider's text. */
export type Verified = { ok: true; output: unknown } | { ok: false; fault: string }

export interface Kind {
  readonly name: KindName
  /** Null where no model is always there: then it is the first on offer that does the kind. */
  readonly defaultModel: string | null
  readonly input: z.ZodType
  readonly params: z.ZodType
  readonly output: z.ZodType
  /** Tokens that an input of this kind, parsed before, is estimated to be. */
  inputTokens(input: unknown): number
  /** Files that an input of this kind, parsed before, refers to, with the JSON Pointer of each. */
  fileRefs(input: unknown): { pointer: string; fileId: string }[]
  /** What its files must be. */
  readonly reads: FileForm
  /** Bytes that one of its files may have at most: more could not pass its schema. */
  readonly maxFileBytes: number
  /** The input with the text of files in the place of their IDs; to be parsed again. `input` was parsed before. */
  withTexts(input: unknown, textOf: (fileId: string) => FileText): unknown
  /** Checks an answer against the kind's contract. Everything a provider returns passes here before it may settle a job. */
  verify(output: unknown, input: unknown, params: unknown): Verified
}

interface Definition<I extends z.ZodType, P extends z.ZodType, O extends z.ZodType> {
  name: KindName
  defaultModel: string | null
  input: I
  params: P
  output: O
  /** Estimated, with `tokensOf`; need not be whole. */
  tokens(input: z.output<I>): number
  fileRefs(input: z.output<I>): { pointer: string; fileId: string }[]
  reads: FileForm
  maxFileBytes: number
  withTexts(input: z.output<I>, textOf: (fileId: string) => FileText): unknown
  /** Rules beyond the schema; null when the output holds. */
  fault(output: z.output<O>, input: z.output<I>, params: z.output<P>): string | null
}

const ASCII_PER_TOKEN = 4
const LAST_ASCII = 0x7f

/** About how many tokens a text is: four ASCII characters make one, a character of another script is one by itself. */
export function tokensOf(text: string): number {
  let others = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > LAST_ASCII) others++
  return (text.length - others) / ASCII_PER_TOKEN + others
}

/** Gives a typed definition the uniform, parsing face that the registry, the ledger and the consumers use. */
export function defineKind<I extends z.ZodType, P extends z.ZodType, O extends z.ZodType>(
  kind: Definition<I, P, O>,
): Omit<Kind, 'input' | 'params' | 'output'> & { input: I; params: P; output: O } {
  return {
    ...kind,
    inputTokens: (input) => Math.ceil(kind.tokens(input as z.output<I>)),
    fileRefs: (input) => kind.fileRefs(input as z.output<I>),
    withTexts: (input, textOf) => kind.withTexts(input as z.output<I>, textOf),
    verify: (output, input, params) => {
      const shape = kind.output.safeParse(output)
      if (!shape.success) return { ok: false, fault: 'The answer does not have the shape of this kind.' }
      const fault = kind.fault(shape.data, kind.input.parse(input), kind.params.parse(params))
      return fault ? { ok: false, fault } : { ok: true, output: shape.data }
    },
  }
}

/** Every code point is one or two of JavaScript's characters, so only lengths between need counting. */
const isWithin = (value: string, max: number) =>
  value.length <= max || (value.length <= 2 * max && countCharacters(value) <= max)

const tooLarge = { tooLarge: true }

/** Text of 1 to `max` characters (code points) that is not only white space. */
export const text = (max: number) =>
  z
    .string()
    .refine((value) => value.length > 0, { error: 'Must not be empty.', abort: true })
    .refine((value) => value.trim() !== '', { error: 'Must not be only white space.', abort: true })
    .refine((value) => isWithin(value, max), {
      error: `Must be at most ${max} characters.`,
      params: tooLarge,
    })
    .meta({ minLength: 1, maxLength: max, pattern: '\\S' })

/** Whether a failed parse says that something was too large, whatever else it says. */
export const saysTooLarge = (issues: readonly z.core.$ZodIssue[]): boolean =>
  issues.some((issue) => {
    if (issue.code === 'invalid_union') return issue.errors.some(saysTooLarge)
    return issue.code === 'too_big' || (issue.code === 'custom' && issue.params?.tooLarge === true)
  })

const UTF8_BYTES = 4

/** Bytes that a text of so many characters may have, with a mark in front. */
export const bytesOfText = (characters: number) => characters * UTF8_BYTES + 3

/** The ID of an uploaded file; whether it exists is the ledger's to say. */
export const fileId = () =>
  z
    .string()
    .min(1)
    .max(64)
    .meta({ description: 'ID of an uploaded file.', example: 'file_01kb9k5s3w000p4d7g2j6m8q1v3x' })

/** An input that is a file and nothing else. */
export const FileInput = z.strictObject({ file_id: fileId() }).meta({
  id: 'FileInput',
  description: 'An uploaded file in the place of what would be too large for the body.',
})
