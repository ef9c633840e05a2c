import { z } from '@hono/zod-openapi'
import { bytesOfText, defineKind, FileInput, text, tokensOf } from '../kind.ts'
import { countCharacters, countWords } from '../words.ts'

const TEXT_MAX = 500_000

export const SummarizeText = z
  .strictObject({ text: text(TEXT_MAX) })
  .meta({ id: 'SummarizeText', description: 'The text to summarise; not only white space.' })

const DEFAULT_MAX_WORDS = 120

/** Everybody counts words a little differently, so a tenth more is no fault; and nobody asked for the default, so twice that is none. */
function mostWords({
  max_words,
  max_characters,
}: {
  max_words?: number | undefined
  max_characters?: number | undefined
}): number {
  if (max_words) return Math.floor(max_words + max_words / 10)
  return max_characters ? Number.POSITIVE_INFINITY : DEFAULT_MAX_WORDS * 2
}

export const summarize = defineKind({
  name: 'summarize',
  defaultModel: 'embedded/extract-1',
  input: z
    .union([SummarizeText, FileInput])
    .meta({ id: 'SummarizeInput', description: 'What to summarise: a text, or a text file.' }),
  params: z
    .strictObject({
      max_words: z.int().min(10).max(2000).optional().meta({ description: '120 when no limit is given.' }),
      max_characters: z.int().min(20).max(20_000).optional().meta({ description: 'In code points.' }),
    })
    .meta({
      id: 'SummarizeParams',
      description:
        'How long the summary may be. A limit below the length of the first sentence gives that sentence cut, ending in `…`.',
    }),
  output: z.object({ summary: z.string() }).meta({ id: 'SummarizeOutput', description: 'The summary.' }),
  tokens: (input) => ('text' in input ? tokensOf(input.text) : 0),
  fileRefs: (input) => ('file_id' in input ? [{ pointer: '/input/file_id', fileId: input.file_id }] : []),
  reads: 'text',
  maxFileBytes: bytesOfText(TEXT_MAX),
  withTexts: (input, textOf) => ('file_id' in input ? { text: textOf(input.file_id).text } : input),
  fault: ({ summary }, _input, params) => {
    if (summary.trim() === '') return 'The summary is blank.'
    if (params.max_characters && countCharacters(summary) > params.max_characters)
      return 'The summary is longer than max_characters.'
    const most = mostWords(params)
    return countWords(summary, most + 1) > most ? 'The summary has too many words.' : null
  },
})
