import { z } from '@hono/zod-openapi'
import { MAX_FILE_BYTES } from '../file-types.ts'
import { defineKind, fileId } from '../kind.ts'

const Segment = z.object({ start: z.number(), end: z.number(), text: z.string() }).openapi('Segment')

export const transcribe = defineKind({
  name: 'transcribe',
  defaultModel: null,
  input: z.strictObject({ file_id: fileId() }).openapi('TranscribeInput'),
  params: z
    .strictObject({
      language: z
        .string()
        .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
        .optional()
        .openapi({ description: 'BCP 47 language tag.', example: 'ja' }),
    })
    .openapi('TranscribeParams'),
  output: z
    .object({ text: z.string(), language: z.string(), segments: z.array(Segment) })
    .openapi('TranscribeOutput'),
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
