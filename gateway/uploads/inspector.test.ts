import { describe, expect, it } from 'vitest'
import { Inspector } from './inspector.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)
const ascii = (text: string) => new TextEncoder().encode(text)
const [A, I] = [bytes(0xe3, 0x81, 0x82), bytes(0xe3, 0x81, 0x84)]

/** What the inspector says to each chunk, and at the end. */
function inspect(contentType: string, length: number, ...chunks: Uint8Array[]) {
  const inspector = new Inspector({ contentType, bytes: length })
  return [...chunks.map((chunk) => inspector.look(chunk)), inspector.end()]
}

const longer = 'The body is longer than its Content-Length.'
const shorter = 'The body is shorter than its Content-Length.'
const notUtf8 = 'Not UTF-8.'
const notThat = 'The file is not of its declared type.'

describe('an upload that passes', () => {
  it.each<[string, number, Uint8Array[], (string | null)[]]>([
    ['text', 5, [ascii('he'), ascii('llo')], [null, null, null]],
    ['a character cut by a chunk', 6, [A, I.slice(0, 1), I.slice(1)], [null, null, null, null]],
    ['a character cut at the end', 5, [A, I.slice(0, 2)], [null, notUtf8, null]],
    ['a character cut in the middle', 4, [A.slice(0, 2), ascii('ab')], [null, notUtf8, null]],
    ['a lone byte', 1, [bytes(0x80)], [notUtf8, null]],
    ['a mark in front', 4, [bytes(0xef, 0xbb, 0xbf, 0x61)], [null, null]],
    ['an empty chunk', 2, [ascii(''), ascii('ok')], [null, null, null]],
    ['too much', 2, [ascii('ok'), ascii('!')], [null, longer, null]],
    ['too little', 3, [ascii('ok')], [null, shorter]],
    ['nothing', 3, [], [shorter]],
  ])('as plain text: %s', (_, length, chunks, said) => {
    expect(inspect('text/plain', length, ...chunks)).toEqual(said)
  })

  it.each<[string, number, Uint8Array[], (string | null)[]]>([
    ['in one', 20, [ascii('RIFF....WAVEfmt ....')], [null, null]],
    ['a byte at a time', 13, Array.from('RIFF....WAVEf', ascii), Array(14).fill(null)],
    ['not by its last byte that tells', 12, [ascii('RIFF....WAV'), ascii('X')], [null, notThat, null]],
    ['too short to tell', 4, [ascii('RIFF')], [notThat, null]],
    ['not UTF-8 after the head', 14, [ascii('RIFF....WAVE'), bytes(0xff, 0xfe)], [null, null, null]],
  ])('as sound: %s', (_, length, chunks, said) => {
    expect(inspect('audio/wav', length, ...chunks)).toEqual(said)
  })
})
