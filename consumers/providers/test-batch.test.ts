import { describe, expect, it } from 'vitest'
import { models } from '../../catalog/models.ts'
import type { ChunkRead, ChunkRequest } from '../batch-provider.ts'
import { chunkOf, submitted, told } from './batch/chunk.fixture.ts'
import { bucket } from './embedded/memory.fixture.ts'
import { testBatch } from './test-batch.ts'

const DAY_MS = 86_400_000
const offered = models.filter(({ provider, batch }) => provider === 'test' && batch).map(({ id }) => id)

/** A clock that stands until it is moved. */
function provider() {
  const clock = { now: 1_000_000 }
  const parts = { content: bucket(), folder: 't/acme/batch/batch_1/', readyMs: 200, now: () => clock.now }
  return { ...testBatch(parts), clock }
}

/** What a chunk on the model comes to in the end. */
async function readOf(request: ChunkRequest, side = provider()): Promise<ChunkRead> {
  const outcome = await side.submit(request)
  if (outcome.kind !== 'accepted') throw new Error('It was not accepted.')
  side.clock.now += DAY_MS
  return side.read(submitted(request, outcome.requestId))
}

const answersOf = (read: ChunkRead) => (read.kind === 'done' ? read.answers : [])

describe('a batch on a model that misbehaves on purpose', () => {
  it.each(offered)('on %s is known to its provider', async (model) => {
    const signal = AbortSignal.abort(new Error('Not that long.'))
    const outcome = await provider()
      .submit(chunkOf(model, 1, { signal }))
      .catch(() => null)

    expect(outcome).not.toMatchObject({ class: 'model_not_found' })
  })

  it('on a model that is none is refused', async () => {
    expect(await provider().submit(chunkOf('test/none', 1))).toMatchObject({ class: 'model_not_found' })
  })

  it.each([
    ['permission-denied', 'permission_denied', null],
    ['rate-limited', 'rate_limited', 500],
    ['unavailable', 'provider_unavailable', null],
  ])('is refused by test/%s as %s', async (model, expected, retryAfterMs) => {
    const outcome = await provider().submit(chunkOf(`test/${model}`, 3))

    expect(outcome).toEqual({ kind: 'failed', class: expected, retryAfterMs })
  })

  it('is refused by test/flaky twice, however often one submission is repeated', async () => {
    const side = provider()
    const outcomes = []
    for (const key of ['k-1', 'k-1', 'k-2', 'k-2', 'k-3'])
      outcomes.push((await side.submit(chunkOf('test/flaky', 2, { key }))).kind)

    expect(outcomes).toEqual(['failed', 'failed', 'failed', 'failed', 'accepted'])
  })

  it('is never answered for by test/hangs, and nobody can tell what became of it', async () => {
    const request = chunkOf('test/hangs', 2, { signal: AbortSignal.timeout(20) })

    await expect(provider().submit(request)).rejects.toThrow()
    expect(await provider().reconcile(request)).toEqual({ kind: 'unknowable' })
  })

  it.each([
    ['priced', ['completed', 'completed', 'completed', 'completed', 'completed']],
    ['batch-partial', ['completed', 'completed', 'completed', 'content_filtered', 'completed']],
    ['batch-missing', ['completed', 'completed', 'completed', 'completed']],
    ['batch-duplicates', ['completed', 'completed', 'completed', 'completed', 'completed', 'completed']],
    ['content-filtered', Array<string>(5).fill('content_filtered')],
  ])('on test/%s comes to %j', async (model, expected) => {
    expect(told(answersOf(await readOf(chunkOf(`test/${model}`, 5))))).toEqual(expected)
  })

  it('has nothing in the outputs of test/invalid-output', async () => {
    const read = await readOf(chunkOf('test/invalid-output', 2))

    expect(answersOf(read)).toMatchObject([{ output: {} }, { output: {} }])
  })

  it('counts the work for what is answered, and for what is answered twice twice', async () => {
    const [once, twice] = await Promise.all(
      ['priced', 'batch-duplicates'].map((model) => readOf(chunkOf(`test/${model}`, 1))),
    )
    const [one, two] = [once, twice].map((read) => (read?.kind === 'done' ? read.usage : null))
    if (!one || !two || one === 'unknown' || two === 'unknown') throw new Error('Nothing was counted.')

    expect(one.inputTokens).toBeGreaterThan(0)
    expect(two).toEqual({ inputTokens: 2 * one.inputTokens, outputTokens: 2 * one.outputTokens })
  })

  it('is pending for as long as another on a model whose answers are wrong', async () => {
    const side = provider()
    const request = chunkOf('test/batch-missing', 2)
    await side.submit(request)

    expect(await side.read(submitted(request, 'embedded-batch_1-0-0-1'))).toEqual({ kind: 'pending' })
  })

  it('takes five seconds longer on test/slow', async () => {
    const side = provider()
    const request = chunkOf('test/slow', 1)
    const sent = submitted(request, 'embedded-batch_1-0-0-1')
    await side.submit(request)

    side.clock.now += 5199
    expect(await side.read(sent)).toEqual({ kind: 'pending' })
    side.clock.now += 1
    expect(await side.read(sent)).toMatchObject({ kind: 'done' })
  })

  it('stays queued for ever on test/batch-stuck until it is called off', async () => {
    const side = provider()
    const request = chunkOf('test/batch-stuck', 2)
    const sent = submitted(request, 'embedded-batch_1-0-0-1')

    expect(await readOf(request, side)).toEqual({ kind: 'pending' })
    await side.cancel(sent)
    expect(await side.read(sent)).toMatchObject({ kind: 'failed' })
  })
})
