import { describe, expect, it } from 'vitest'
import { summarize } from './summarize.ts'

const input = { text: 'All human beings are born free.' }
const limited = { max_characters: 20 }

describe('a summary', () => {
  it.each<[string, string, object, object]>([
    ['has words', 'Born free.', input, {}],
    ['is of a file', 'Born free.', { file_id: 'file_1' }, {}],
    ['is as long as max_characters, in code points', '😀'.repeat(20), input, limited],
    ['is long where there is no limit', 'x'.repeat(20_000), input, {}],
  ])('holds when it %s', (_, summary, of, params) => {
    expect(summarize.verify({ summary }, of, params)).toEqual({ ok: true, output: { summary } })
  })

  it.each<[string, string, object, string]>([
    ['is empty', '', {}, 'The summary is blank.'],
    ['is blank', ' \n\u3000', {}, 'The summary is blank.'],
    ['is too long', 'x'.repeat(21), limited, 'The summary is longer than max_characters.'],
  ])('does not hold when it %s', (_, summary, params, fault) => {
    expect(summarize.verify({ summary }, input, params)).toEqual({ ok: false, fault })
  })
})
