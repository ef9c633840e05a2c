import { z } from '@hono/zod-openapi'
import { textsOf } from '../file-texts.ts'
import { bytesOfText, defineKind, FileInput, text, tokensOf } from '../kind.ts'

const TEXT_MAX = 32_000
const TEXTS_MAX = 256
/** JSON written in escapes can be longer than that, but a file of so many texts at their longest is none that anybody has. */
const FILE_BYTES_MAX = TEXTS_MAX * bytesOfText(TEXT_MAX)

export const EmbedTexts = z
  .strictObject({ texts: z.array(text(TEXT_MAX)).min(1).max(TEXTS_MAX) })
  .meta({ id: 'EmbedTexts', description: 'The texts to embed, none of them only white space.' })

export const embed = defineKind({
  name: 'embed',
  defaultModel: 'embedded/hash-1',
  input: z.union([EmbedTexts, FileInput]).meta({
    id: 'EmbedInput',
    description:
      'What to embed: texts, or a file that holds a JSON array of strings, one JSON string a line (NDJSON), or one text a line.',
  }),
  params: z
    .strictObject({
      dimensions: z
        .int()
        .min(8)
        .max(4096)
        .optional()
        .meta({ description: "Length of the vectors; default: the model's own." }),
    })
    .meta({ id: 'EmbedParams', description: 'How the texts are embedded.' }),
  output: z
    .object({ embeddings: z.array(z.array(z.number())), dimensions: z.int() })
    .meta({ id: 'EmbedOutput', description: 'A vector for each text, in the order of the texts.' }),
  tokens: (input) => ('texts' in input ? input.texts.reduce((sum, one) => sum + tokensOf(one), 0) : 0),
  fileRefs: (input) => ('file_id' in input ? [{ pointer: '/input/file_id', fileId: input.file_id }] : []),
  reads: 'text',
  maxFileBytes: FILE_BYTES_MAX,
  withTexts: (input, textOf) => ('file_id' in input ? { texts: textsOf(textOf(input.file_id)) } : input),
  fault: ({ embeddings, dimensions }, input, params) => {
    if ('texts' in input && embeddings.length !== input.texts.length)
      return 'Not one embedding for each text.'
    if (params.dimensions && params.dimensions !== dimensions)
      return 'Not the dimensions that were asked for.'
    if (embeddings.some((vector) => vector.length !== dimensions)) return 'An embedding of another dimension.'
    if (embeddings.some((vector) => vector.every((value) => value === 0))) return 'An embedding is all zero.'
    return null
  },
})
