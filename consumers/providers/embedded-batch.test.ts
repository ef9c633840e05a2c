import { describe, expect, it } from 'vitest'
import type { KindName } from '../../catalog/kind.ts'
import type { SubmittedChunk } from '../batch-provider.ts'
import { chunkOf, referenceOf, submitted } from './batch/chunk.fixture.ts'
import { bucket } from './embedded/memory.fixture.ts'
import { embedded } from './embedded.ts'
import { embeddedBatch } from './embedded-batch.ts'

const READY_MS = 200
const chunk = chunkOf('embedded/extract-1', 5)

/** With a clock that stands until it is moved. */
function provider() {
  const clock = { now: 1_000_000 }
  const content = bucket()
  const parts = { content, folder: 't/acme/batch/batch_1/', readyMs: READY_MS, now: () => clock.now }
  return { ...embeddedBatch(parts), clock, keys: content.keys }
}

async function accepted(embeddedSide: ReturnType<typeof provider>, request = chunk): Promise<SubmittedChunk> {
  const outcome = await embeddedSide.submit(request)
  if (outcome.kind !== 'accepted') throw new Error('It was not accepted.')
  return submitted(request, outcome.requestId)
}

describe('a chunk at the embedded provider', () => {
  it('is pending for a while, then done with an answer for each item, in another order', async () => {
    const side = provider()
    const sent = await accepted(side)

    expect(await side.read(sent)).toEqual({ kind: 'pending' })
    side.clock.now += READY_MS - 1
    expect(await side.read(sent)).toEqual({ kind: 'pending' })
    side.clock.now += 1

    const read = await side.read(sent)
    if (read.kind !== 'done') throw new Error(read.kind)
    expect(read.answers.map(({ index }) => index)).toEqual([1, 3, 0, 2, 4])
    for (const { index, reference } of read.answers) expect(reference).toBe(referenceOf(index ?? -1))
  })

  it.each<[KindName, unknown, unknown]>([
    ['summarize', { text: 'All human beings are born free.' }, { max_words: 50 }],
    ['embed', { texts: ['one', 'two'] }, { dimensions: 64 }],
    ['classify', { text: 'A bill.', labels: ['invoice', 'letter'] }, {}],
    ['report', { sources: [{ title: 'One', text: 'All are born free.' }] }, {}],
  ])('of kind %s comes to what the same items come to alone', async (kind, input, params) => {
    const side = provider()
    const request = { ...chunk, kind, params, items: [{ reference: referenceOf(0), input }] }
    const sent = await accepted(side, request)
    side.clock.now += READY_MS
    const alone = await embedded.run({
      ...request,
      input,
      audio: null,
      attempt: 1,
      idempotencyKey: 'job_1-0',
    })
    if (alone.kind !== 'completed') throw new Error(alone.class)

    expect(await side.read(sent)).toEqual({
      kind: 'done',
      answers: [
        { reference: referenceOf(0), index: 0, kind: 'completed', output: alone.output, usage: alone.usage },
      ],
      usage: alone.usage,
      modelVersion: '1',
    })
  })

  it('fails an item that it cannot do, and not the others', async () => {
    const side = provider()
    const items = [chunk.items[0], { reference: referenceOf(1), input: { file_id: 'file_1' } }]
    const sent = await accepted(side, { ...chunk, items: items.filter((item) => item !== undefined) })
    side.clock.now += READY_MS

    expect(await side.read(sent)).toMatchObject({
      answers: [
        { index: 1, kind: 'failed', class: 'unsupported_kind' },
        { index: 0, kind: 'completed' },
      ],
    })
  })

  it('is taken once, at the time of the first submission', async () => {
    const side = provider()
    const first = await accepted(side)
    side.clock.now += READY_MS
    const again = await accepted(side)

    expect(again.requestId).toBe(first.requestId)
    expect(await side.read(again)).toMatchObject({ kind: 'done' })
    expect(side.keys()).toEqual(['t/acme/batch/batch_1/embedded/taken/batch_1-0-0-1'])
  })

  it('is found when its outcome is unknown, and absent when it never came', async () => {
    const side = provider()
    const sent = await accepted(side)

    expect(await side.reconcile(chunk)).toEqual({ kind: 'found', requestId: sent.requestId })
    expect(await side.reconcile({ ...chunk, key: 'batch_1-0-0-2' })).toEqual({ kind: 'absent' })
  })

  it.each<[string, (sent: SubmittedChunk) => SubmittedChunk]>([
    ['that it does not know', (sent) => ({ ...sent, requestId: 'embedded-batch_1-0-0-2' })],
    ['of another model', (sent) => ({ ...sent, model: 'embedded/hash-1' })],
  ])('under a request ID %s will never be there', async (_, change) => {
    const side = provider()
    const sent = await accepted(side)
    side.clock.now += READY_MS

    expect(await side.read(change(sent))).toMatchObject({ kind: 'failed', class: 'provider_unavailable' })
  })

  it('that was called off is not made any more', async () => {
    const side = provider()
    const sent = await accepted(side)
    await side.cancel(sent)
    side.clock.now += READY_MS

    expect(await side.read(sent)).toMatchObject({ kind: 'failed', usage: null })
    expect(await side.reconcile(chunk)).toMatchObject({ kind: 'found' })
  })

  it('that never came can be called off as well', async () => {
    const side = provider()

    await expect(side.cancel(submitted(chunk, 'embedded-none'))).resolves.toBeUndefined()
    expect(await side.reconcile(chunk)).toEqual({ kind: 'absent' })
  })
})
