/** The provider inside the Worker: no account, no network, deterministic. It cannot transcribe, and says so. */
import type { z } from '@hono/zod-openapi'
import type { KindName } from '../../catalog/kind.ts'
import { kindOf, type kinds } from '../../catalog/kinds.ts'
import { findModel } from '../../catalog/models.ts'
import { type Attempt, failed, type Provider, type ProviderRequest } from '../provider.ts'
import { classify } from './embedded/classify.ts'
import { byLength, DEFAULT_DIMENSIONS, embed } from './embedded/embed.ts'
import { report } from './embedded/report.ts'
import { summarize } from './embedded/summarize.ts'

type Input<K extends KindName> = z.output<(typeof kinds)[K]['input']>
type Params<K extends KindName> = z.output<(typeof kinds)[K]['params']>
type Answers = { [K in KindName]: (input: Input<K>, params: Params<K>, model: string) => unknown | null }

const HASH_2 = 'embedded/hash-2'

/** Null where the content lies in a file that was not resolved, or the kind is beyond this provider. */
const answers: Answers = {
  summarize: (input, params) =>
    'text' in input ? { summary: summarize(input.text, limitsOf(params)) } : null,
  embed: (input, { dimensions: asked }, model) => {
    const dimensions = asked ?? findModel(model)?.dimensions ?? DEFAULT_DIMENSIONS
    const weigh = model === HASH_2 ? byLength : undefined
    return 'texts' in input ? { embeddings: embed(input.texts, dimensions, weigh), dimensions } : null
  },
  classify: (input) => ('text' in input ? { labels: classify(input.text, input.labels) } : null),
  report: ({ sources }, params) => {
    const texts = sources.flatMap((source) => ('text' in source ? [source] : []))
    return texts.length === sources.length ? report(texts, optionsOf(params)) : null
  },
  transcribe: () => null,
}

const limitsOf = ({ max_words, max_characters }: Params<'summarize'>) => ({
  ...(max_words !== undefined && { max_words }),
  ...(max_characters !== undefined && { max_characters }),
})

const optionsOf = ({ title, max_words }: Params<'report'>) => ({
  ...(title !== undefined && { title }),
  ...(max_words !== undefined && { max_words }),
})

type Task = Pick<ProviderRequest, 'kind' | 'model' | 'input' | 'params'>

export const embedded: Provider = {
  async run({ idempotencyKey, ...task }) {
    const attempt = attemptOf(task)
    return attempt.kind === 'failed'
      ? attempt
      : { ...attempt, providerRequestId: `embedded-${idempotencyKey}` }
  },
}

export function attemptOf(task: Task): Attempt {
  const output = answer(task)
  return output === null ? failed('unsupported_kind') : completed(task, output)
}

/** Input and parameters are parsed again here, so each answer gets exactly its own kind's types. */
function answer({ kind, model, input, params }: Task): unknown | null {
  const { input: inputSchema, params: paramsSchema } = kindOf(kind)
  const run = answers[kind] as (input: unknown, params: unknown, model: string) => unknown | null
  return run(inputSchema.parse(input), paramsSchema.parse(params), model)
}

function completed({ kind, input }: Task, output: unknown): Attempt {
  const usage = {
    inputTokens: kindOf(kind).inputTokens(input),
    outputTokens: Math.ceil(JSON.stringify(output).length / 4),
  }
  return { kind: 'completed', output, usage, providerRequestId: null }
}
