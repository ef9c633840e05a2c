import { describe, expect, it } from 'vitest'
import { summarize } from './summarize.ts'

const input = { text: 'All human beings are born free.' }
const limited = { max_characters: 20 }

describe('a summary', () => {
  it.each<[string, string, object, object]>([
    ['has words', 'Born free.', input, {}],
    ['is of a file', 'Born free.', { file_id: 'file_1' }, {}],
    ['is as long as max_characters, in code points', '😀'.repeat(20), input, limited],
    ['is one long word where there is no limit', 'x'.repeat(20_000), input, {}],
    ['has as many words as max_words', 'word '.repeat(50), input, { max_words: 50 }],
    ['has a tenth more, as others count', 'word '.repeat(55), input, { max_words: 50 }],
    ['has twice the words of the default', 'word '.repeat(240), input, {}],
    ['has many words within max_characters', 'word '.repeat(500), input, { max_characters: 20_000 }],
  ])('holds when it %s', (_, summary, of, params) => {
    expect(summarize.verify({ summary }, of, params)).toEqual({ ok: true, output: { summary } })
  })

  it.each<[string, string, object, string]>([
    ['is empty', '', {}, 'The summary is blank.'],
    ['is blank', ' \n\u3000', {}, 'The summary is blank.'],
    ['has too many words', 'word '.repeat(56), { max_words: 50 }, 'The summary has too many words.'],
    ['has far more words than the default', 'word '.repeat(241), {}, 'The summary has too many words.'],
    [
      'has too many words within max_characters',
      'word '.repeat(56),
      { max_words: 50, max_characters: 20_000 },
      'The summary has too many words.',
    ],
    ['is too long', 'x'.repeat(21), limited, 'The summary is longer than max_characters.'],
  ])('does not hold when it %s', (_, summary, params, fault) => {
    expect(summarize.verify({ summary }, input, params)).toEqual({ ok: false, fault })
  })
})
