import { describe, expect, it } from 'vitest'
import { countCharacters, countWords } from '../../../catalog/words.ts'
import { sentences } from './sentences.ts'
import { summarize } from './summarize.ts'
import { declaration } from './udhr.fixture.ts'

const english = declaration('eng').text
const japanese = declaration('jpn').text
const languages = ['eng', 'jpn', 'fra', 'deu_1996', 'arb', 'tha', 'kor', 'cmn_hans', 'rus']
const wordLimits = [1, 2, 3, 5, 8, 10, 13, 20, 31, 50, 77, 120, 200, 400, 1000, 2000]
const characterLimits = [1, 2, 3, 7, 20, 21, 34, 60, 99, 150, 280, 500, 1000, 5000, 20_000]

/** What is left of a summary when the sentences of the text are taken from its head, in the order of the text. */
function afterSentencesOf(text: string, summary: string): string {
  return sentences(text).reduce(
    (rest, sentence) => (rest.startsWith(sentence) ? rest.slice(sentence.length).replace(/^ /, '') : rest),
    summary,
  )
}

function expectWhole(text: string, summary: string) {
  const cut = summary.endsWith('…') && !text.includes(summary)
  if (cut) expect(text).toContain(summary.slice(0, -1))
  else expect(afterSentencesOf(text, summary)).toBe('')
}

describe('a summary', () => {
  it.each(languages)('keeps to any number of words, in whole sentences and in their order (%s)', (code) => {
    const { text } = declaration(code)
    for (const max_words of wordLimits) {
      const summary = summarize(text, { max_words })
      expect(countWords(summary)).toBeLessThanOrEqual(max_words)
      expect(summary.trim()).not.toBe('')
      expectWhole(text, summary)
    }
  })

  it.each(languages)(
    'keeps to any number of characters, in whole sentences and in their order (%s)',
    (code) => {
      const { text } = declaration(code)
      for (const max_characters of characterLimits) {
        const summary = summarize(text, { max_characters })
        expect(countCharacters(summary)).toBeLessThanOrEqual(max_characters)
        expect(summary.trim()).not.toBe('')
        expectWhole(text, summary)
      }
    },
  )

  it.each(['eng', 'jpn'])('keeps to both limits together (%s)', (code) => {
    const { text } = declaration(code)
    for (const max_words of wordLimits) {
      for (const max_characters of characterLimits) {
        const summary = summarize(text, { max_words, max_characters })
        expect(countWords(summary)).toBeLessThanOrEqual(max_words)
        expect(countCharacters(summary)).toBeLessThanOrEqual(max_characters)
        expectWhole(text, summary)
      }
    }
  })

  it.each(['eng', 'jpn'])('has up to 120 words when no limit is given (%s)', (code) => {
    const words = countWords(summarize(declaration(code).text, {}))
    expect(words).toBeGreaterThan(80)
    expect(words).toBeLessThanOrEqual(120)
  })

  it('is the same each time', () => {
    expect(summarize(english, {})).toBe(summarize(english, {}))
  })

  it('leaves headings out', () => {
    expect(summarize(english, { max_words: 2000 })).not.toMatch(/Article \d|Preamble/)
    expect(summarize(japanese, { max_words: 2000 })).not.toMatch(/第[０-９\d]+条/)
  })

  it('joins English with spaces, and Japanese with nothing', () => {
    const [one, two] = [
      summarize('One is free. Two are equal.', {}),
      summarize('人は自由である。人は平等である。', {}),
    ]
    expect([one, two]).toEqual(['One is free. Two are equal.', '人は自由である。人は平等である。'])
  })

  it('says nothing twice', () => {
    const text = 'The harbour is closed today. '.repeat(20)
    expect(summarize(text, {})).toBe('The harbour is closed today.')
  })
})

describe('a summary tells what the text is about', () => {
  const article = `The city council voted on Tuesday to build a new tram line linking the harbour with the university.
The tram line will cost 420 million euros and is expected to open in 2031.
The weather was fine.
Opponents of the tram line argued that buses would do the same job at a fraction of the cost.
Somebody coughed.`
  const 記事 = `自動運転バス、過疎地で本格運行へ
長野県の村は１日、自動運転バスの本格的な運行を始めた。当日は晴れだった。運転手の不足で廃止された路線バスに代わり、自動運転バスは村役場と病院を結ぶ。
誰かがくしゃみをした。自動運転バスの運行には年間約5,000万円の費用がかかる。`

  it('in English', () => {
    const summary = summarize(article, { max_words: 40 })
    expect(summary).toMatch(/^The city council voted/)
    expect(summary).not.toMatch(/weather|coughed/)
  })

  it('in Japanese', () => {
    const summary = summarize(記事, { max_characters: 70 })
    expect(summary).toMatch(/^長野県の村は/)
    expect(summary).not.toMatch(/晴れ|くしゃみ|過疎地/)
  })

  it('in a text of both', () => {
    const summary = summarize(`${article}\n\n${記事}`, { max_words: 80 })
    expect(summary).toMatch(/tram line[\s\S]*自動運転バス/)
  })
})

describe('a limit below every sentence', () => {
  it('cuts at the end of a word and shows it', () => {
    const text = 'Everyone has the right to life, liberty and the security of person.'
    expect(summarize(text, { max_words: 6 })).toBe('Everyone has the right to life…')
    expect(summarize(text, { max_characters: 20 })).toBe('Everyone has the…')
    expect(summarize(text, { max_characters: 34 })).toBe('Everyone has the right to life…')
  })

  it('cuts Japanese at the end of a word', () => {
    expect(summarize('すべての人は、教育を受ける権利を有する。', { max_characters: 10 })).toBe(
      'すべての人は、教育…',
    )
  })

  it('cuts the first full sentence rather than show a heading', () => {
    expect(summarize(`Article 1\n\n${'word '.repeat(30)}end.`, { max_words: 3 })).toBe('word word word…')
  })

  it('cuts within a word that is too long by itself', () => {
    expect(summarize('a'.repeat(100_000), { max_characters: 20 })).toBe(`${'a'.repeat(19)}…`)
  })

  it.each(['👍', '𠮷', '👨‍👩‍👧‍👦', '🇯🇵', 'が'])('never cuts through %s', (cluster) => {
    for (let max_characters = 8; max_characters < 40; max_characters++) {
      const summary = summarize(cluster.repeat(100), { max_characters })
      expect(countCharacters(summary)).toBeLessThanOrEqual(max_characters)
      expect(summary).toBe(`${cluster.repeat((summary.length - 1) / cluster.length)}…`)
    }
  })

  it('is well-formed whatever is cut', () => {
    const zalgo = `e${'\u0301'.repeat(500)}𠮷`.repeat(3)
    for (const max_characters of characterLimits) {
      const summary = summarize(zalgo, { max_characters })
      expect(summary.isWellFormed()).toBe(true)
      expect(countCharacters(summary)).toBeLessThanOrEqual(max_characters)
    }
  })
})

describe('an unusual text', () => {
  it.each(['Hello', '!!!', '…', '😀', 'あ', '\u200b', '123', 'heading\n\nheading 2'])(
    '%j has a summary',
    (text) => {
      expect(summarize(text, { max_words: 10 }).trim()).not.toBe('')
    },
  )

  it('without anything in it has a blank summary', () => {
    expect(summarize(' \n\t ', {})).toBe('')
  })

  it('with only line breaks between its sentences is split at them', () => {
    const lines = sentences(english).map((sentence) => sentence.replace(/\W+$/, ''))
    for (const text of [lines.join('\n'), lines.join('\r\n')]) {
      const summary = summarize(text, {})
      expect(countWords(summary)).toBeGreaterThan(80)
      expect(afterSentencesOf(text, summary)).toBe('')
      expect(summary).not.toMatch(/[\n\r]/)
    }
  })

  it('of one giant sentence is cut', () => {
    const giant = 'liberty equality dignity '.repeat(4_000)
    expect(summarize(giant, { max_words: 3 })).toBe('liberty equality dignity…')
    expect(countWords(summarize(giant, {}))).toBe(120)
    expect(
      countCharacters(summarize('自由平等尊厳'.repeat(20_000), { max_characters: 50 })),
    ).toBeLessThanOrEqual(50)
  })

  it('of signs alone is not returned in full', () => {
    expect(countCharacters(summarize('!?'.repeat(100_000), { max_words: 10 }))).toBeLessThanOrEqual(20_000)
  })
})

describe('a long text', () => {
  const long = (text: string) => text.repeat(Math.ceil(500_000 / text.length)).slice(0, 500_000)
  const short = Array.from(
    { length: 10_000 },
    (_, at) => `Port ${at} has ${at % 97} ships and ${at % 89} cranes.`,
  )
  const ports = Array.from(
    { length: 10_000 },
    (_, at) => `第${at}港には船が${at % 97}隻とクレーンが${at % 89}基ある。`,
  )

  it.each([
    ['English', long(english)],
    ['Japanese', long(japanese)],
    ['10,000 short sentences', short.join(' ')],
    ['10,000 short sentences in Japanese', ports.join('')],
    ['line breaks', 'a\n'.repeat(250_000)],
  ])('of %s takes no more than a moment', (_, text) => {
    const started = performance.now()
    const summary = summarize(text, { max_words: 2_000 })

    expect(countWords(summary)).toBeLessThanOrEqual(2_000)
    // About 0.5 s at the most on one core; the bound leaves room for a busy machine.
    expect(performance.now() - started).toBeLessThan(4_000)
  })
})
