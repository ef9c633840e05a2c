import { describe, expect, it } from 'vitest'
import { type KindName, kindNames } from '../../catalog/kind.ts'
import { lineOf, modelOf, rulesOf } from './item.fixture.ts'
import { readItem, readLine } from './item.ts'

const text = 'All human beings are born free.'
const body = (rest: object = {}) => ({ external_reference: 'a:1', input: { text }, ...rest })

/** The fault of what is no item, as `[class, reference, 'pointer detail', …]`; null for an item. */
function faultOf(value: unknown, rules = rulesOf()) {
  const read = readLine(lineOf(JSON.stringify(value)), rules)
  if (read.ok) return null
  const { class: failure, reference, errors } = read.fault
  return [failure, reference, ...errors.map(({ pointer, detail }) => `${pointer} ${detail}`)]
}

describe('an item', () => {
  it.each([
    ['by the vectors of the model', null, 2 * 256 * 24],
    ['by the vectors that are asked for', 64, 2 * 64 * 24],
  ])('is expected to be answered %s', (_, dimensions, answerBytes) => {
    const rules = rulesOf('embed', { dimensions })

    expect(readItem(body({ input: { texts: ['one', 'two'] } }), rules)).toMatchObject({
      value: { answerBytes },
    })
  })

  it('is as the batch says', () => {
    expect(readItem(body(), rulesOf())).toEqual({
      ok: true,
      value: {
        reference: 'a:1',
        canonical: `{"text":"${text}"}`,
        confidentiality: 'internal',
        retentionSeconds: 60,
        fileRefs: [],
        inputTokens: 8,
        answerBytes: 0,
      },
    })
  })

  it('may say otherwise, and name files', () => {
    const asked = { confidentiality: 'public', retention_seconds: 0, input: { file_id: 'file_1' } }

    expect(readItem(body(asked), rulesOf())).toMatchObject({
      value: {
        confidentiality: 'public',
        retentionSeconds: 0,
        fileRefs: [{ pointer: '/input/file_id', fileId: 'file_1' }],
      },
    })
  })

  it.each<[string, unknown, unknown[]]>([
    ['a number', 1, ['invalid_input', null, ' Must be of type object.']],
    ['a list', [], ['invalid_input', null, ' Must be of type object.']],
    ['null', null, ['invalid_input', null, ' Must be of type object.']],
    ['empty', {}, ['invalid_input', null, '/external_reference Required.', '/input Required.']],
    ['without a reference', { input: { text } }, ['invalid_input', null, '/external_reference Required.']],
    ['of another kind', body({ kind: 'embed' }), ['invalid_input', 'a:1', '/kind Unknown field.']],
    [
      'with the input of another kind',
      body({ input: { texts: ['a'] } }),
      ['invalid_input', 'a:1', '/input/text Required.', '/input/texts Unknown field.'],
    ],
    [
      'blank',
      body({ input: { text: '  ' } }),
      ['invalid_input', 'a:1', '/input/text Must not be only white space.'],
    ],
    [
      'too long for its kind',
      body({ input: { text: 'a'.repeat(500_001) } }),
      ['input_too_large', 'a:1', '/input/text Must be at most 500000 characters.'],
    ],
    [
      'with an unknown confidentiality',
      body({ confidentiality: 'secret' }),
      [
        'invalid_input',
        'a:1',
        '/confidentiality Must be one of: public, internal, confidential, restricted.',
      ],
    ],
    [
      'kept too long',
      body({ retention_seconds: 2_592_001 }),
      ['invalid_input', 'a:1', '/retention_seconds Must be at most 2592000.'],
    ],
    [
      'with half a character',
      body({ input: { text: 'a \ud83d b' } }),
      ['invalid_input', 'a:1', '/input Holds a text that is not well-formed Unicode.'],
    ],
  ])('is none when it is %s', (_, value, fault) => {
    expect(faultOf(value)).toEqual(fault)
  })

  it.each(['', ' ', 'a b', 'ü', 'a/b', '"', 'a'.repeat(129), 'a\n', 1, null])(
    'is not named %j, and not told by that name',
    (reference) => {
      expect(faultOf(body({ external_reference: reference }))).toEqual([
        'invalid_input',
        null,
        expect.stringMatching(/^\/external_reference Must be /),
      ])
    },
  )

  it.each(['a', '0', 'A._:-', 'a'.repeat(128)])('may be named %j', (reference) => {
    expect(faultOf(body({ external_reference: reference }))).toBeNull()
  })

  it('is told of at so many places, and at no more', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, 1]))

    expect(faultOf(body({ input: many }))).toHaveLength(2 + 100)
  })

  it.each([
    ['"__proto__":{}', '/input/__proto__', 'This name is not allowed.'],
    ['"\\u005f_proto__":{}', '/input/__proto__', 'This name is not allowed.'],
    ['"text":"c"', '/input/text', 'This name is there twice.'],
  ])('must not have a name that parsers fight over, as in %s', (more, pointer, detail) => {
    const source = `{"external_reference":"a","input":{"text":"b",${more}}}`

    expect(readLine(lineOf(source), rulesOf())).toMatchObject({
      fault: { reference: 'a', errors: [{ pointer, detail }] },
    })
  })

  it('must be one that the model may see, and can read', () => {
    const outside = rulesOf('summarize', { model: modelOf('openai/gpt-4o-mini') })

    expect(faultOf(body({ confidentiality: 'restricted' }), outside)).toEqual([
      'invalid_input',
      'a:1',
      '/confidentiality openai/gpt-4o-mini may see content up to internal.',
    ])
    expect(faultOf(body({ input: { text: 'ü'.repeat(110_001) } }), outside)).toEqual([
      'input_too_large',
      'a:1',
      '/input Too large for openai/gpt-4o-mini.',
    ])
    expect(faultOf(body({ input: { text: 'ü'.repeat(110_000) } }), outside)).toBeNull()
  })

  it.each(kindNames)('of kind %s never says what it holds in a fault', (kind) => {
    const secret = 'Tamika Lopez'
    const values = [{ text: secret }, { texts: [secret, secret] }, { sources: secret, [secret]: 1 }, secret]

    for (const input of values) {
      const fault = faultOf({ external_reference: secret, input, metadata: secret }, rulesOf(kind))
      expect(JSON.stringify(fault?.filter((one) => !String(one).includes('Unknown field')))).not.toContain(
        'Lopez',
      )
    }
  })
})

describe('a line', () => {
  it('that a fault of ours keeps from being read is none of the customer', () => {
    expect(() => readLine(lineOf('{}'), { ...rulesOf(), kind: 'none' as KindName })).toThrow(TypeError)
  })

  it.each(['{', 'a', '{"a":1}{"a":2}', "{'a':1}", '\uFEFF{}'])('of %s is no JSON', (source) => {
    expect(readLine(lineOf(source), rulesOf())).toEqual({
      ok: false,
      fault: { class: 'invalid_input', reference: null, errors: [{ pointer: '', detail: 'Not JSON.' }] },
    })
  })

  it.each([
    ['not_utf8', 'invalid_input', 'Not UTF-8.'],
    ['too_large', 'input_too_large', 'Longer than 1048576 bytes.'],
  ] as const)('that is %s is no item', (fault, failure, detail) => {
    const read = readLine({ line: 1, at: 0, bytes: 9, text: null, fault }, rulesOf())

    expect(read).toEqual({
      ok: false,
      fault: { class: failure, reference: null, errors: [{ pointer: '', detail }] },
    })
  })
})
