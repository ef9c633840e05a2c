import { describe, expect, it } from 'vitest'
import { type KindName, kindNames } from './kind.ts'
import { kindOf } from './kinds.ts'
import { findModel } from './models.ts'

const text = { text: '12345' }
const file = { file_id: 'file_1' }
const labels = ['a', 'b']
const sources = [
  { title: 'One', text: '12345' },
  { title: 'Two', file_id: 'file_2' },
  { title: 'Three', text: '123' },
]
const asFile = [{ pointer: '/input/file_id', fileId: 'file_1' }]

describe('a kind', () => {
  it.each<[KindName, object, { pointer: string; fileId: string }[]]>([
    ['summarize', text, []],
    ['summarize', file, asFile],
    ['embed', file, asFile],
    ['classify', { ...file, labels }, asFile],
    ['report', { sources }, [{ pointer: '/input/sources/1/file_id', fileId: 'file_2' }]],
    ['transcribe', file, asFile],
  ])('of %s knows the files of its input %j', (kind, input, files) => {
    expect(kindOf(kind).fileRefs(input)).toEqual(files)
  })

  it.each<[KindName, object, number]>([
    ['summarize', text, 2],
    ['summarize', file, 0],
    ['embed', { texts: ['1234', '5678', '9'] }, 3],
    ['classify', { ...text, labels }, 2],
    ['report', { sources }, 2],
    ['transcribe', file, 0],
  ])('of %s estimates its input %j at %i tokens', (kind, input, tokens) => {
    expect(kindOf(kind).inputTokens(input)).toBe(tokens)
  })

  it.each(kindNames.filter((name) => name !== 'transcribe'))('of %s has a default model for it', (name) => {
    const { defaultModel } = kindOf(name)
    expect(defaultModel === null || findModel(defaultModel)?.kinds.includes(name)).toBe(true)
  })
})

describe('an output', () => {
  const inputs: Record<KindName, object> = {
    summarize: text,
    embed: { texts: ['x'] },
    classify: { ...text, labels },
    report: { sources },
    transcribe: file,
  }
  const unknown = [null, undefined, '', 'text', 1, [], {}, { error: 'overloaded' }]

  it.each(kindNames)('of %s is never something of an unknown shape', (kind) => {
    const verdicts = unknown.map((output) => kindOf(kind).verify(output, inputs[kind], {}))

    for (const verdict of verdicts)
      expect(verdict).toEqual({ ok: false, fault: 'The answer does not have the shape of this kind.' })
  })

  it('loses what its kind does not have', () => {
    const verified = kindOf('summarize').verify({ summary: 'Free.', prompt: 'secret' }, text, {})

    expect(verified).toEqual({ ok: true, output: { summary: 'Free.' } })
  })
})
