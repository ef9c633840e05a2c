import { describe, expect, it } from 'vitest'
import { transcribe } from './transcribe.ts'

const input = { file_id: 'file_1' }
const output = (...times: [number, number][]) => ({
  text: 'Hello there.',
  language: 'en',
  segments: times.map(([start, end]) => ({ start, end, text: 'Hello' })),
})
const shape = 'The answer does not have the shape of this kind.'

describe('a transcript', () => {
  it.each([
    ['its segments follow each other', output([0, 1.5], [1.5, 2])],
    ['a segment takes no time', output([1, 1])],
    ['there is only silence', output()],
  ])('holds when %s', (_, transcript) => {
    expect(transcribe.verify(transcript, input, {})).toEqual({ ok: true, output: transcript })
  })

  it.each<[string, object, string]>([
    ['a segment starts before the audio', output([-1, 1]), 'A segment starts before the audio.'],
    ['a segment ends before it starts', output([0, 1], [2, 1]), 'A segment ends before it starts.'],
    ['a time is no number', output([0, Number.NaN]), shape],
    ['a time is infinite', output([0, Number.POSITIVE_INFINITY]), shape],
    ['it names no language', { text: 'x', segments: [] }, shape],
  ])('does not hold when %s', (_, transcript, fault) => {
    expect(transcribe.verify(transcript, input, {})).toEqual({ ok: false, fault })
  })
})
