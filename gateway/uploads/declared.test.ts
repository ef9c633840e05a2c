import { describe, expect, it } from 'vitest'
import { Problem } from '../problem.ts'
import { declaredBy } from './declared.ts'

const headers = (type?: string, length?: string, encoding?: string) => (name: string) =>
  ({ 'Content-Type': type, 'Content-Length': length, 'Content-Encoding': encoding })[name]

function answer(type?: string, length?: string, encoding?: string) {
  try {
    return declaredBy(headers(type, length, encoding))
  } catch (error) {
    return error instanceof Problem ? error.code : error
  }
}

const MOST = 95 * 1024 * 1024

describe('the headers of an upload', () => {
  it.each([
    ['text/plain', '1', { contentType: 'text/plain', bytes: 1 }],
    ['Text/Plain; charset="utf-8"', String(MOST), { contentType: 'text/plain', bytes: MOST }],
    ['audio/ogg; codecs=opus', '12', { contentType: 'audio/ogg', bytes: 12 }],
    ['text/plain', String(MOST + 1), 'payload-too-large'],
    ['text/plain', '9'.repeat(40), 'payload-too-large'],
    ['text/plain', '0', 'invalid-request'],
    ['text/plain', undefined, 'length-required'],
    ['text/plain', '1, 1', 'length-required'],
    ['text/plain; charset=utf-16', '1', 'unsupported-media-type'],
    ['text/plain, application/json', '1', 'unsupported-media-type'],
    ['application/pdf', '1', 'unsupported-media-type'],
    ['audio/', '1', 'unsupported-media-type'],
    [undefined, '1', 'unsupported-media-type'],
  ])('%s of %s bytes', (type, length, expected) => {
    expect(answer(type, length)).toEqual(expected)
  })
  it.each([
    ['', { contentType: 'text/plain', bytes: 1 }],
    ['Identity', { contentType: 'text/plain', bytes: 1 }],
    ['gzip', 'unsupported-media-type'],
    ['identity, gzip', 'unsupported-media-type'],
    ['none', 'unsupported-media-type'],
  ])('with %j for an encoding', (encoding, expected) => {
    expect(answer('text/plain', '1', encoding)).toEqual(expected)
  })
})
