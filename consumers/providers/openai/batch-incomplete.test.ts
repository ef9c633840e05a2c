import { describe, expect, it } from 'vitest'
import { told } from '../batch/chunk.fixture.ts'
import {
  accepted,
  answersOf,
  askedFor,
  chunk,
  ended,
  type Fetch,
  logged,
  provider,
  server,
  useOpenAi,
} from './batch.fixture.ts'

useOpenAi()

const isBatch = (url: unknown) => /\/batches\/[^/]+$/.test(String(url))

/** A provider that says this of the batch as well. */
const saying = (more: object) => {
  const call: Fetch = async (url, init) => {
    const response = await fetch(url, init)
    return isBatch(url) ? Response.json({ ...((await response.json()) as object), ...more }) : response
  }
  return provider({ fetch: call })
}

/** What is read of a chunk then, and whether its input is still there. */
async function readSaying(more: object) {
  const request = chunk('batch-state:stuck')
  const sent = await accepted(request)
  const read = await saying({ status: 'completed', ...more }).read(sent)
  return { read, hasInput: server.files.has(String(askedFor(request.key)?.body.input_file_id)) }
}

describe('a chunk that OpenAI says has ended', () => {
  it.each<[string, object]>([
    ['with an output of no name', { output_file_id: 7 }],
    ['with an output whose name is a text', { output_file_id: 'Here are your results.' }],
    ['with errors of no name', { error_file_id: { id: 'file-1' } }],
    ['without a file, though all of it was done', { request_counts: { total: 3, completed: 3, failed: 0 } }],
    ['early, without a file, though some was done', { status: 'expired', request_counts: { completed: 1 } }],
    ['with an output without a name', { output_file_id: '', request_counts: { completed: 3 } }],
  ])('%s is read again', async (_, more) => {
    expect(await readSaying(more)).toEqual({ read: { kind: 'pending' }, hasInput: true })
    expect(logged).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('"event":"batch.read_failed"'))
  })

  it.each<[string, object]>([
    ['and counts nothing', {}],
    ['and counts in words', { request_counts: 'all of them' }],
    ['and did nothing', { request_counts: { total: 3, completed: 0, failed: 3 } }],
  ])('without a file %s has no results', async (_, more) => {
    expect(await readSaying(more)).toMatchObject({ read: { kind: 'done', answers: [] }, hasInput: false })
  })

  it('is read where all that it did is among the errors', async () => {
    const sent = await accepted(chunk('batch-answers:other-shape'))
    await ended(sent)
    const counting = saying({ request_counts: { total: 3, completed: 3, failed: 0 } })

    expect(told(answersOf(await counting.read(sent)))).toEqual(Array(3).fill('invalid_output'))
  })

  it('is read from a file with a long name', async () => {
    const long = `${'bGl0'.repeat(60)}==`
    const sent = await accepted(chunk())
    await ended(sent)
    let output = ''
    const call: Fetch = async (url, init) => {
      const response = await fetch(String(url).replace(long, output), init)
      if (!isBatch(url)) return response
      const batch = (await response.json()) as { output_file_id: string }
      output = batch.output_file_id
      return Response.json({ ...batch, output_file_id: long })
    }

    expect(answersOf(await provider({ fetch: call }).read(sent))).toHaveLength(3)
  })
})
