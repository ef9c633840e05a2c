/** The catalog itself: a model is one row. */
import { type KindName, kindNames } from './kind.ts'
import type { BatchLimits, Model, Price } from './models.ts'

const MEGABYTE = 1024 * 1024

/** A chunk is held in memory while it is sent, and again with its results while they are checked. */
const chunks: BatchLimits = { maxItems: 1000, maxBytes: 8 * MEGABYTE, concurrent: null }
/** Providers hold queues of a bounded size for an account, which is ours and so all tenants'. */
const sharedChunks: BatchLimits = { ...chunks, concurrent: 20 }
/**
 * Workers AI takes requests of less than 10 MB. An item can be wrapped in 4 kB, of which the most is a report's title, and labels and
 * titles of quotation marks take twice as much within a prompt as in their lines.
 */
const smallChunks: BatchLimits = { ...sharedChunks, maxBytes: 2_500_000 }

const free: Price = { inputUsdPerMillionTokens: 0, outputUsdPerMillionTokens: 0, usdPerJob: 0 }

const tokenPrice = (inputUsdPerMillionTokens: number, outputUsdPerMillionTokens = 0): Price => ({
  inputUsdPerMillionTokens,
  outputUsdPerMillionTokens,
  usdPerJob: 0,
})

const minuteOfAudio = (usd: number) => tokenPrice((usd / 60) * 1_000_000)

const embedded = (id: string, kinds: readonly KindName[], dimensions: number | null): Model => ({
  id,
  provider: 'embedded',
  version: '1',
  kinds,
  maxInputTokens: 25_000_000,
  maxOutputTokens: 1_000_000,
  maxAudioBytes: null,
  dimensions,
  price: free,
  maxConfidentiality: 'restricted',
  limits: null,
  enabled: true,
  slow: false,
  batch: chunks,
})

/** Misbehaves on purpose and deterministically; see `consumers/providers/test.ts`. */
const test = (name: string, rest: Partial<Model> = {}): Model => ({
  ...embedded(`test/${name}`, kindNames, 256),
  provider: 'test',
  ...rest,
})

type Outside = Pick<Model, 'maxInputTokens' | 'price' | 'limits'> & Partial<Model>

const chatKinds = ['summarize', 'classify', 'report'] as const

/** Calls that leave the platform we run on; content that must not be seen elsewhere stays away from them. */
const openai = (name: string, version: string, kinds: readonly KindName[], rest: Outside): Model => ({
  ...embedded(`openai/${name}`, kinds, null),
  provider: 'openai',
  version,
  maxOutputTokens: 0,
  maxConfidentiality: 'internal',
  slow: true,
  batch: sharedChunks,
  ...rest,
})

const workersAi = (name: string, kinds: readonly KindName[], rest: Outside): Model => ({
  ...openai(name, '1', kinds, { batch: smallChunks, ...rest }),
  id: `workers-ai/${name}`,
  provider: 'workers-ai',
  maxConfidentiality: 'confidential',
})

export const all: readonly Model[] = [
  embedded('embedded/extract-1', ['summarize', 'report'], null),
  embedded('embedded/hash-1', ['embed', 'classify'], 256),
  // Better in languages that the first has no list of common words of; it waits for an operator to enable it.
  { ...embedded('embedded/hash-2', ['embed'], 1024), enabled: false },
  workersAi('llama-3.3-70b-instruct-fp8-fast', chatKinds, {
    maxInputTokens: 18_000,
    maxOutputTokens: 4096,
    price: tokenPrice(0.293, 2.253),
    limits: { requestsPerMinute: 300, tokensPerMinute: 2_000_000, concurrent: 32 },
  }),
  workersAi('llama-4-scout-17b-16e-instruct', chatKinds, {
    maxInputTokens: 120_000,
    maxOutputTokens: 8192,
    price: tokenPrice(0.27, 0.85),
    limits: { requestsPerMinute: 300, tokensPerMinute: 2_000_000, concurrent: 32 },
  }),
  workersAi('bge-m3', ['embed'], {
    maxInputTokens: 1_000_000,
    dimensions: 1024,
    price: tokenPrice(0.012),
    limits: { requestsPerMinute: 1500, tokensPerMinute: 20_000_000, concurrent: 32 },
    slow: false,
  }),
  // The audio travels as base64 within a JSON text, which holds it in memory several times over.
  workersAi('whisper-large-v3-turbo', ['transcribe'], {
    maxInputTokens: 14_400,
    maxAudioBytes: 8 * MEGABYTE,
    batch: null,
    price: minuteOfAudio(0.00051),
    limits: { requestsPerMinute: 720, tokensPerMinute: 1_000_000, concurrent: 8 },
  }),
  openai('gpt-4o-mini', '2024-07-18', chatKinds, {
    maxInputTokens: 110_000,
    maxOutputTokens: 4096,
    price: tokenPrice(0.15, 0.6),
    limits: { requestsPerMinute: 500, tokensPerMinute: 200_000, concurrent: 32 },
  }),
  openai('gpt-4.1-mini', '2025-04-14', chatKinds, {
    maxInputTokens: 1_000_000,
    maxOutputTokens: 32_768,
    price: tokenPrice(0.4, 1.6),
    limits: { requestsPerMinute: 500, tokensPerMinute: 200_000, concurrent: 32 },
  }),
  openai('text-embedding-3-small', '1', ['embed'], {
    maxInputTokens: 300_000,
    dimensions: 1536,
    price: tokenPrice(0.02),
    limits: { requestsPerMinute: 3000, tokensPerMinute: 1_000_000, concurrent: 32 },
    slow: false,
  }),
  openai('whisper-1', '1', ['transcribe'], {
    maxInputTokens: 14_400,
    maxAudioBytes: 25 * MEGABYTE,
    batch: null,
    price: minuteOfAudio(0.006),
    limits: { requestsPerMinute: 500, tokensPerMinute: 1_000_000, concurrent: 8 },
  }),
  test('slow', { slow: true }),
  test('hangs', { slow: true }),
  test('flaky'),
  test('unavailable'),
  test('rate-limited'),
  test('permission-denied'),
  test('content-filtered'),
  test('invalid-output'),
  test('priced', { price: { ...free, usdPerJob: 0.01 } }),
  test('batch-partial'),
  test('batch-missing'),
  test('batch-duplicates'),
  test('batch-stuck'),
  // As a new model or version comes: nobody has approved it yet.
  test('unapproved', { enabled: false }),
  test('limited', {
    limits: { requestsPerMinute: 30, tokensPerMinute: 1_000_000, concurrent: 10 },
    batch: { ...chunks, concurrent: 2 },
  }),
]
