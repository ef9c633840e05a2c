import { describe, expect, it } from 'vitest'
import { countCharacters, countWords, localeOf } from '../../../catalog/words.ts'
import { sentences } from './sentences.ts'
import { isStopWord, stem, terms } from './terms.ts'
import { words } from './text.ts'
import { declaration } from './udhr.fixture.ts'

const english = declaration('eng')
const japanese = declaration('jpn')

describe('a word', () => {
  it('is found in English, lower-cased and without its marks', () => {
    expect(words('No one can’t be "free", 3.14 times!')).toEqual([
      'no',
      'one',
      "can't",
      'be',
      'free',
      '3.14',
      'times',
    ])
  })

  it('is found in Japanese, which has no spaces', () => {
    expect(words('人間は理性と良心を授けられる。').slice(0, 5)).toEqual(['人間', 'は', '理性', 'と', '良心'])
  })

  it('is counted where the text has one, and only there', () => {
    expect([countWords('Everyone has the right to life.'), countWords('!!! 😀 …'), countWords('')]).toEqual([
      6, 0, 0,
    ])
  })

  it('counts the same in a text as in the list of its words', () => {
    for (const { text } of [english, japanese]) expect(countWords(text)).toBe(words(text).length)
  })
})

describe('a character', () => {
  it('is a code point, not a UTF-16 unit', () => {
    expect([countCharacters('👍a𠮷'), countCharacters('権利')]).toEqual([3, 2])
  })
})

describe('the locale', () => {
  it.each([
    [english.text, 'en'],
    [japanese.text, 'ja'],
    ['Cloudflare Workers で動くサービスの設計について説明します。', 'ja'],
    ['The word 権利 means right in Japanese.', 'en'],
    ['123 !!!', 'en'],
  ])('follows the script that dominates', (text, locale) => {
    expect(localeOf(text)).toBe(locale)
  })
})

describe('a sentence', () => {
  it.each([
    ['ends at its full stop', 'One is here. Two is there.', ['One is here.', 'Two is there.']],
    [
      'survives abbreviations',
      'Dr. Smith met J. Doe, e.g. here. See No. 5.',
      ['Dr. Smith met J. Doe, e.g. here.', 'See No. 5.'],
    ],
    [
      'keeps the number of its point',
      '1. First it is.\n2. Then it was.',
      ['1. First it is.', '2. Then it was.'],
    ],
    [
      'ends with the heading above it',
      'A heading\nThe text.\n\nAnother\n\nMore.',
      ['A heading', 'The text.', 'Another', 'More.'],
    ],
    [
      'ends at a Japanese full stop',
      '自由である。平等である！本当？',
      ['自由である。', '平等である！', '本当？'],
    ],
    [
      'keeps a Japanese quotation whole',
      '「行く。必ず行く。」と言った。次。',
      ['「行く。必ず行く。」と言った。', '次。'],
    ],
    ['takes the bracket that opens it', '終わりだ。「始まりだ。」', ['終わりだ。', '「始まりだ。」']],
    [
      'keeps a legal definition whole',
      '個人情報（以下「情報」という。）は守る。',
      ['個人情報（以下「情報」という。）は守る。'],
    ],
  ])('%s', (_, text, expected) => {
    expect(sentences(text)).toEqual(expected)
  })

  it('keeps the line wraps within it as they are', () => {
    const wrapped =
      'Everyone has the right to freedom of thought, conscience\r\nand religion, and to change them.'

    expect(sentences(`${wrapped}\r\nNext.`)).toEqual([wrapped, 'Next.'])
  })

  it('keeps the line wraps of Japanese as they are', () => {
    const wrapped = 'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利と\nについて平等である。'

    expect(sentences(`見出し\n${wrapped}`)).toEqual(['見出し', wrapped])
  })

  it('ends at a paragraph separator, even within a quotation', () => {
    expect(sentences('「行く。\u2029必ず行く。」')).toEqual(['「行く。', '必ず行く。」'])
  })

  it('ends at a line break that wraps nothing', () => {
    expect(sentences('no full stop here\nnor is one here\r\n\r\nand none here')).toHaveLength(3)
  })

  it.each(['eng', 'jpn', 'fra', 'deu_1996', 'arb', 'tha', 'kor', 'cmn_hans'])(
    'is an exact part of the text in %s',
    (code) => {
      const { text } = declaration(code)
      let place = 0
      for (const sentence of sentences(text)) {
        place = text.indexOf(sentence, place)
        expect(place).toBeGreaterThanOrEqual(0)
        expect(sentence).toBe(sentence.trim())
        place += sentence.length
      }
    },
  )

  it('leaves nothing of the text out', () => {
    for (const { text } of [english, japanese]) {
      expect(sentences(text).join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
    }
  })
})

describe('a term', () => {
  it('leaves out what every text has', () => {
    expect(['the', "don't", 'は', 'です', 'について'].every(isStopWord)).toBe(true)
    expect(['right', '権利', 'スポーツ', 'さくらんぼ'].some(isStopWord)).toBe(false)
  })

  it.each([
    ['study studies studied studying'],
    ['provide provides provided providing'],
    ['run runs running'],
    ['box boxes'],
    ['class classes'],
  ])('brings %s to one form', (forms) => {
    expect(new Set(forms.split(' ').map(stem)).size).toBe(1)
  })

  it('leaves short words whole', () => {
    expect(['bus', 'red', 'thing', 'bring'].map(stem)).toEqual(['bus', 'red', 'thing', 'bring'])
  })

  it('takes the words as they are when none carries meaning', () => {
    expect(terms(['it', 'is'])).toEqual(['it', 'is'])
  })
})
