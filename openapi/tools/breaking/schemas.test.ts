import { describe, expect, it } from 'vitest'
import { changesBy, job, request } from './released.fixture.ts'

describe('breaks those who send', () => {
  it.each<[title: string, place: string, value: unknown, message: string]>([
    [
      'a further required property',
      'components|schemas|Embed|required',
      ['kind', 'size'],
      'body: now requires "size"',
    ],
    ['a property that is gone', `${request}|note`, undefined, 'body: no longer has "note"'],
    ['a value less', `${request}|priority|enum`, ['low'], 'body/priority: no longer takes "high"'],
    [
      'a list of values where there was none',
      `${request}|size|enum`,
      [1, 2],
      'body/size: takes listed values only',
    ],
    ['another type', `${request}|size|type`, 'string', 'body/size: its type was integer, and is string'],
    ['a lower maximum', `${request}|size|maximum`, 9, 'body/size: its maximum was 10, and is 9'],
    ['a higher minimum', `${request}|size|minimum`, 2, 'body/size: its minimum was 1, and is 2'],
    [
      'a bound where there was none',
      `${request}|priority|maxLength`,
      9,
      'body/priority: its maxLength was not set, and is 9',
    ],
    [
      'another pattern',
      `${request}|priority|pattern`,
      '^l',
      'body/priority: its pattern was not set, and is "^l"',
    ],
    [
      'a new format',
      `${request}|priority|format`,
      'uuid',
      'body/priority: its format was not set, and is uuid',
    ],
    [
      'another default',
      `${request}|priority|default`,
      'high',
      'body/priority: its default was "low", and is "high"',
    ],
    ['null no more', `${request}|note|type`, 'string', 'body/note: no longer takes null'],
    [
      'narrower values under any name',
      `${request}|metadata|additionalProperties|maxLength`,
      9,
      'body/metadata/*: its maxLength was 512, and is 9',
    ],
    [
      'an object that is closed',
      'components|schemas|Classify|additionalProperties',
      false,
      'body: no longer takes properties that it does not name',
    ],
    [
      'an alternative less',
      'components|schemas|JobRequest|oneOf|1',
      undefined,
      'body: no longer takes Classify',
    ],
  ])('%s', (_, place, value, message) => {
    expect(changesBy(place, value)).toContain(`POST /v1/jobs ${message}`)
  })
})

describe('breaks those who get', () => {
  it.each<[title: string, place: string, value: unknown, message: string]>([
    ['a property that is gone', `${job}|properties|id`, undefined, '202: no longer has "id"'],
    [
      'a property that may be missing',
      `${job}|required`,
      ['status', 'error'],
      '202: "id" may now be missing',
    ],
    [
      'a property that may be null',
      `${job}|properties|id|type`,
      ['string', 'null'],
      '202/id: may now be null',
    ],
    [
      'a component that may be null',
      `${job}|properties|parent`,
      { anyOf: [{ $ref: '#/components/schemas/Job' }, { type: 'null' }] },
      '202/parent: may now be null',
    ],
    [
      'a further value',
      `${job}|properties|status|enum`,
      ['running', 'failed', 'held'],
      '202/status: may now be "held"',
    ],
    ['any value', `${job}|properties|status|enum`, undefined, '202/status: may now be any value'],
    [
      'another type',
      `${job}|properties|attempts`,
      { type: 'number' },
      '202/attempts: its type was integer, and is number',
    ],
    [
      'another format',
      `${job}|properties|attempts|format`,
      'int64',
      '202/attempts: its format was int32, and is int64',
    ],
    [
      'a further alternative',
      `${job}|properties|error|anyOf|2`,
      { type: 'string' },
      '202/error: may now be string',
    ],
    [
      'what lies deeper',
      'components|schemas|JobError|properties|class',
      { type: 'integer' },
      '202/error/class: its type was string, and is integer',
    ],
  ])('%s', (_, place, value, message) => {
    expect(changesBy(place, value)).toContain(`POST /v1/jobs ${message}`)
  })

  it('and tells of what a text holds', () => {
    const content = 'paths|/v1/jobs|get|responses|206|content|application/json|schema|contentSchema'
    expect(changesBy(content, { type: 'integer' })).toContain(
      'GET /v1/jobs 206/content: its type was object, and is integer',
    )
  })

  it('and tells once of a component that stands in many places', () => {
    expect(changesBy(`${job}|properties|id`, undefined)).toEqual(['POST /v1/jobs 202: no longer has "id"'])
  })
})
