/** Models as customers see them. */
import { z } from '@hono/zod-openapi'
import { pageOf, pageQuery } from './common.ts'
import { orNull } from './enums.ts'
import { Confidentiality, Kind } from './job-words.ts'

export const ModelQuery = z.object(pageQuery)

const price = (description: string, example: number) =>
  z.number().min(0).meta({ format: 'double', description, example })

const ModelPrice = z
  .object({
    input_usd_per_million_tokens: price('USD for a million tokens in.', 0.15),
    output_usd_per_million_tokens: price('USD for a million tokens out.', 0.6),
    usd_per_job: price('USD for each job, or each item of a batch, whatever it holds.', 0),
  })
  .meta({
    id: 'ModelPrice',
    description: 'A charge for each attempt. Where a model hears, a token is a second of audio.',
  })

const ModelBatch = z
  .object({
    max_items: z.int().meta({ format: 'int32', example: 1000 }),
    max_bytes: z.int().meta({ format: 'int64', example: 8_388_608 }),
  })
  .meta({
    id: 'ModelBatch',
    description: 'What one chunk may hold. A batch that is larger is cut into several.',
  })

export const Model = z
  .object({
    id: z.string().meta({
      description: 'As in the `model` of a job or a batch.',
      example: 'openai/gpt-4o-mini',
    }),
    object: z.literal('model'),
    provider: z.string().meta({ example: 'openai' }),
    version: z.string().meta({ example: '2024-07-18' }),
    kinds: z
      .array(Kind)
      .meta({ description: 'What it can do.', example: ['summarize', 'classify', 'report'] }),
    default_for: z.array(Kind).meta({
      description: 'The kinds that it does where a request names no model.',
      example: [],
    }),
    batch: orNull(ModelBatch).meta({ description: 'Null where it takes no batches.' }),
    max_input_tokens: z.int().meta({ format: 'int32', description: 'Of one input.', example: 110_000 }),
    dimensions: z.int().nullable().meta({
      format: 'int32',
      description:
        'How long its vectors are, unless a job asks for another length; null where it does not embed.',
      example: null,
    }),
    price: ModelPrice,
    max_confidentiality: Confidentiality,
    enabled: z.boolean().meta({ description: 'Whether it takes work now.' }),
  })
  .meta({ id: 'Model', description: 'What jobs and batches can ask for, with what it can do and costs.' })
export type Model = z.infer<typeof Model>

export const ModelPage = pageOf('ModelPage', Model)
