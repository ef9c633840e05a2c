import { z } from '@hono/zod-openapi'
import { bytesOfText, defineKind, fileId, text } from '../kind.ts'

const TEXT_MAX = 500_000

const SummarizeText = z.strictObject({ text: text(TEXT_MAX) }).openapi('SummarizeText')
const SummarizeFile = z.strictObject({ file_id: fileId() }).openapi('SummarizeFile')

export const summarize = defineKind({
  name: 'summarize',
  defaultModel: 'embedded/extract-1',
  input: z.union([SummarizeText, SummarizeFile]).openapi('SummarizeInput'),
  params: z
    .strictObject({
      max_words: z.int().min(10).max(2000).optional().openapi({ description: '120 when no limit is given.' }),
      max_characters: z.int().min(20).max(20_000).optional().openapi({ description: 'In code points.' }),
    })
    .openapi('SummarizeParams'),
  output: z.object({ summary: z.string() }).openapi('SummarizeOutput'),
  characters: (input) => ('text' in input ? input.text.length : 0),
  fileRefs: (input) => ('file_id' in input ? [{ pointer: '/input/file_id', fileId: input.file_id }] : []),
  reads: 'text',
  maxFileBytes: bytesOfText(TEXT_MAX),
  withTexts: (input, textOf) => ('file_id' in input ? { text: textOf(input.file_id).text } : input),
  fault: ({ summary }, _input, { max_characters }) => {
    if (summary.trim() === '') return 'The summary is blank.'
    if (max_characters && [...summary].length > max_characters)
      return 'The summary is longer than max_characters.'
    return null
  },
})
