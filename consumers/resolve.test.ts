import { describe, expect, it } from 'vitest'
import type { KindName } from '../catalog/kind.ts'
import type { Lease } from '../ledger/claim.ts'
import { resolveInput } from './resolve.ts'

/** As much of a bucket as is read here. */
const bucket = (objects: Record<string, string | Error>) =>
  ({
    async get(key: string) {
      const found = objects[key]
      if (found instanceof Error) throw found
      return found === undefined ? null : new Response(found)
    },
  }) as unknown as R2Bucket

const lease = (kind: KindName, input: unknown, files: [id: string, contentType: string][] = []): Lease => ({
  jobId: 'job_1',
  attempt: 1,
  until: 0,
  kind,
  model: 'embedded/extract-1',
  input: typeof input === 'string' ? input : JSON.stringify(input),
  inputRef: null,
  params: null,
  traceparent: null,
  expectedTokens: 0,
  files: files.map(([id, contentType]) => ({ id, ref: `at/${id}`, contentType, bytes: 1 })),
  providerKey: 'job_1-0',
})

const plain: [string, string][] = [
  ['f1', 'text/plain'],
  ['f2', 'text/plain'],
]
const ours = { ok: false, class: 'internal' }

describe('an input', () => {
  it('is read from where it lies', async () => {
    const stored = { ...lease('summarize', ''), input: null, inputRef: 'in/1' }

    expect(await resolveInput(stored, bucket({ 'in/1': '{"text":"a"}' }))).toEqual({
      ok: true,
      input: { text: 'a' },
      audio: null,
    })
    expect(await resolveInput(stored, bucket({}))).toEqual(ours)
    expect(await resolveInput(stored, bucket({ 'in/1': new Error('down') }))).toEqual(ours)
  })

  it('gets the text of its files in the place of their IDs', async () => {
    const sources = [
      { title: 'A', file_id: 'f1' },
      { title: 'B', text: 'two' },
      { title: 'C', file_id: 'f2' },
    ]

    const resolved = await resolveInput(
      lease('report', { sources }, plain),
      bucket({ 'at/f1': '\uFEFFone', 'at/f2': 'three' }),
    )

    const texts = [
      { title: 'A', text: 'one' },
      { title: 'B', text: 'two' },
      { title: 'C', text: 'three' },
    ]
    expect(resolved).toEqual({ ok: true, input: { sources: texts }, audio: null })
  })

  it('of sound comes with its bytes and their type', async () => {
    const resolved = await resolveInput(
      lease('transcribe', { file_id: 'f1' }, [['f1', 'audio/ogg']]),
      bucket({ 'at/f1': 'OggS' }),
    )

    expect(resolved).toEqual({
      ok: true,
      input: { file_id: 'f1' },
      audio: { bytes: new TextEncoder().encode('OggS'), contentType: 'audio/ogg' },
    })
  })

  it.each<[string, Lease, Record<string, string | Error>, string]>([
    ['no JSON', lease('summarize', '{"text'), {}, 'internal'],
    ['not of its kind', lease('report', {}), {}, 'internal'],
    ['a file that the lease does not hold', lease('summarize', { file_id: 'f1' }), {}, 'internal'],
    ['a file that is lost', lease('summarize', { file_id: 'f1' }, plain), {}, 'internal'],
    ['sound that is lost', lease('transcribe', { file_id: 'f1' }, [['f1', 'audio/ogg']]), {}, 'internal'],
    [
      'a file out of reach',
      lease('summarize', { file_id: 'f1' }, plain),
      { 'at/f1': new Error('down') },
      'internal',
    ],
    ['blank', lease('summarize', { file_id: 'f1' }, plain), { 'at/f1': ' \n' }, 'invalid_input'],
    [
      'too long',
      lease('classify', { file_id: 'f1', labels: ['a', 'b'] }, plain),
      { 'at/f1': 'a'.repeat(500_001) },
      'input_too_large',
    ],
    [
      'too long in one of many',
      lease('embed', { file_id: 'f1' }, plain),
      { 'at/f1': `a\n${'b'.repeat(32_001)}` },
      'input_too_large',
    ],
    ['of no text at all', lease('embed', { file_id: 'f1' }, plain), { 'at/f1': '\n' }, 'invalid_input'],
  ])('that is %s is a failure', async (_, held, objects, failure) => {
    expect(await resolveInput(held, bucket(objects))).toEqual({ ok: false, class: failure })
  })
})
