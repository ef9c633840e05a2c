import { z } from '@hono/zod-openapi'
import { describe, expect, it } from 'vitest'
import { fieldErrors, jsonPointer } from './field-errors.ts'
import { JobRequest } from './jobs.ts'

/** The errors of a parse, as `[pointer, detail]`. */
function errorsOf(schema: z.ZodType, input: unknown) {
  const issues = schema.safeParse(input).error?.issues ?? []
  return fieldErrors(issues, (path) => ({ pointer: jsonPointer(path), detail: '' })).map(
    ({ pointer, detail }) => [pointer, detail],
  )
}

const job = (rest: object = {}) => ({ kind: 'summarize', input: { text: 'Born free.' }, ...rest })
const embed = (texts: unknown) => ({ kind: 'embed', input: { texts } })
const classify = (labels: unknown) => ({ kind: 'classify', input: { text: 'x', labels } })

describe('a JSON Pointer', () => {
  it.each<[PropertyKey[], string]>([
    [[], ''],
    [['input', 'texts', 0], '/input/texts/0'],
    [['a/b', 'c~d', '~1'], '/a~1b/c~0d/~01'],
    [[''], '/'],
    [['e f', 'ü', '"'], '/e f/ü/"'],
  ])('of %j is %j', (path, pointer) => {
    expect(jsonPointer(path)).toBe(pointer)
  })
})

describe('the errors of a job request', () => {
  it.each<[string, unknown, [string, string][]]>([
    ['name a missing field', { kind: 'summarize' }, [['/input', 'Required.']]],
    ['name an unknown field', job({ colour: 'red' }), [['/colour', 'Unknown field.']]],
    [
      'name each unknown field',
      job({ a: 1, 'b/c~d': 2 }),
      [
        ['/a', 'Unknown field.'],
        ['/b~1c~0d', 'Unknown field.'],
      ],
    ],
    [
      'name a wrong type',
      job({ deadline_seconds: 'soon' }),
      [['/deadline_seconds', 'Must be of type number.']],
    ],
    [
      'name a wrong type as JSON Schema does',
      job({ metadata: 7 }),
      [['/metadata', 'Must be of type object.']],
    ],
    [
      'name what is wrong with a name',
      job({ metadata: { ['a'.repeat(65)]: 'b' } }),
      [[`/metadata/${'a'.repeat(65)}`, 'A name: Must be at most 64 characters long.']],
    ],
    ['do not measure what is of another type', job({ model: [] }), [['/model', 'Must be of type string.']]],
    ['name a fraction', job({ deadline_seconds: 5.5 }), [['/deadline_seconds', 'Must be of type integer.']]],
    [
      'name a number below its range',
      job({ deadline_seconds: 4 }),
      [['/deadline_seconds', 'Must be at least 5.']],
    ],
    [
      'name a number above its range',
      job({ retention_seconds: 2_592_001 }),
      [['/retention_seconds', 'Must be at most 2592000.']],
    ],
    [
      'name a text that is too long',
      job({ model: 'x'.repeat(129) }),
      [['/model', 'Must be at most 128 characters long.']],
    ],
    [
      'name the values that are allowed',
      job({ priority: 'urgent' }),
      [['/priority', 'Must be one of: high, normal, low.']],
    ],
    [
      'name a text of another format',
      job({ processing_version: 'ü' }),
      [['/processing_version', 'Does not have the required format.']],
    ],
    [
      'name each place within a list',
      embed(['a', '', 'b', ' ', '']),
      [
        ['/input/texts/1', 'Must not be empty.'],
        ['/input/texts/3', 'Must not be only white space.'],
        ['/input/texts/4', 'Must not be empty.'],
      ],
    ],
    ['name an empty list', embed([]), [['/input/texts', 'Must be at least 1 item long.']]],
    [
      'name a list that is too long',
      embed(new Array(257).fill('a')),
      [['/input/texts', 'Must be at most 256 items long.']],
    ],
    ['name what a rule of ours found', classify(['a', 'a']), [['/input/labels', 'Labels must be distinct.']]],
    ['name a body that is no object', [], [['', 'Must be of type object.']]],
    [
      'name a metadata value',
      job({ metadata: { order: 4711 } }),
      [['/metadata/order', 'Must be of type string.']],
    ],
  ])('%s', (_, body, errors) => {
    expect(errorsOf(JobRequest, body)).toEqual(errors)
  })

  it.each<[string, unknown, string]>([
    ['is missing', { input: { text: 'x' } }, '/kind'],
    ['is unknown', { kind: 'paint', input: {} }, '/kind'],
  ])('name a kind that %s', (_, body, pointer) => {
    expect(errorsOf(JobRequest, body)).toEqual([[pointer, 'Not one of the allowed values.']])
  })
})

describe('the errors of a union', () => {
  it.each<[string, unknown, [string, string][]]>([
    ['are of the branch whose field is there', { text: '' }, [['/input/text', 'Must not be empty.']]],
    [
      'are of the other branch as well',
      { file_id: '' },
      [['/input/file_id', 'Must be at least 1 character long.']],
    ],
    [
      'are about a wrong type rather than a missing field',
      { text: 5 },
      [['/input/text', 'Must be of type string.']],
    ],
    ['are of the first branch when nothing is there', {}, [['/input/text', 'Required.']]],
    ['are about the extra field', { text: 'x', file_id: 'file_1' }, [['/input/file_id', 'Unknown field.']]],
    ['are about the whole when it is no object', 'x', [['/input', 'Must be of type object.']]],
  ])('%s', (_, input, errors) => {
    expect(errorsOf(JobRequest, job({ input }))).toEqual(errors)
  })

  it('stand at their place within a list', () => {
    const sources = [{ title: 'A', text: 'x' }, { title: 'B', text: ' ' }, { title: 'C' }]

    expect(errorsOf(JobRequest, { kind: 'report', input: { sources } })).toEqual([
      ['/input/sources/1/text', 'Must not be only white space.'],
      ['/input/sources/2/text', 'Required.'],
    ])
  })

  it('name the whole when no branch says more', () => {
    expect(errorsOf(z.object({ a: z.union([z.string(), z.number()]) }), { a: true })).toEqual([
      ['/a', 'Must be of type string.'],
    ])
  })
})

describe('the text of an error', () => {
  const secret = 'Alice-Example-0815'

  it.each<[string, unknown]>([
    ['a text in place of a number', job({ deadline_seconds: secret })],
    ['a text in place of a choice', job({ priority: secret, confidentiality: secret })],
    ['a text in place of a kind', { kind: secret, input: {} }],
    ['a text in place of an object', job({ input: secret, params: secret, metadata: secret })],
    ['a text of another format', job({ processing_version: `${secret} ` })],
    ['a text that is too long', job({ metadata: { order: secret.repeat(40) } })],
    ['a number out of range', job({ max_cost_usd: -815, deadline_seconds: 815_081_500 })],
    ['labels that are not distinct', classify([secret, secret])],
    ['the name of a field', job({ [secret]: 1, metadata: { [secret.repeat(9)]: 'x' } })],
  ])('never holds the input: %s', (_, body) => {
    const errors = errorsOf(JobRequest, body)

    expect(errors.length).toBeGreaterThan(0)
    for (const [, detail] of errors) expect(detail).not.toMatch(/alice|815/i)
  })
})
