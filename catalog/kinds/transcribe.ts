import { z } from '@hono/zod-openapi'
import { MAX_FILE_BYTES } from '../file-types.ts'
import { defineKind, FileInput } from '../kind.ts'

const Segment = z
  .object({
    start: z.number().meta({ description: 'In seconds from the beginning.' }),
    end: z.number().meta({ description: 'In seconds from the beginning.' }),
    text: z.string(),
  })
  .meta({ id: 'Segment', description: 'A stretch of speech.' })

export const transcribe = defineKind({
  name: 'transcribe',
  defaultModel: null,
  input: FileInput,
  params: z
    .strictObject({
      language: z
        .string()
        .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
        .optional()
        .meta({ description: 'BCP 47 language tag.', example: 'ja' }),
    })
    .meta({ id: 'TranscribeParams', description: 'What is known of the speech.' }),
  output: z
    .object({ text: z.string(), language: z.string(), segments: z.array(Segment) })
    .meta({ id: 'TranscribeOutput', description: 'The text as a whole, and in segments with their times.' }),
  tokens: () => 0,
  fileRefs: (input) => [{ pointer: '/input/file_id', fileId: input.file_id }],
  reads: 'audio',
  maxFileBytes: MAX_FILE_BYTES,
  withTexts: (input) => input,
  fault: ({ segments }) => {
    if (segments.some(({ start }) => start < 0)) return 'A segment starts before the audio.'
    if (segments.some(({ start, end }) => end < start)) return 'A segment ends before it starts.'
    return null
  },
})
