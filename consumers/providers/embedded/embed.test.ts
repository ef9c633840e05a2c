import { describe, expect, it } from 'vitest'
import { byLength, DEFAULT_DIMENSIONS, embed } from './embed.ts'
import { declaration } from './udhr.fixture.ts'

const cosine = (a: number[] = [], b: number[] = []) =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)

const subjects = {
  English: [
    [
      'The football team won the championship after a late goal.',
      'Fans cheered as their team scored the winning goal in the football final.',
    ],
    [
      'The central bank raised interest rates to fight inflation.',
      'Inflation slowed after the bank decided to raise rates.',
    ],
    [
      'Heavy rain and strong winds are expected on Sunday.',
      'The forecast for Sunday says rain with wind in the afternoon.',
    ],
    [
      'Chop the onions and fry them in butter before adding the rice.',
      'Fry the rice with butter and onion, then add salt.',
    ],
    [
      'The server stores messages in a queue until a worker reads them.',
      'Each worker reads from the message queue and acknowledges it.',
    ],
  ],
  Japanese: [
    ['サッカーの日本代表は決勝で得点を決めて優勝した。', '代表チームは最後の得点でサッカー大会に優勝した。'],
    ['日本銀行は物価の上昇を抑えるために金利を引き上げた。', '金利の引き上げで物価の上昇は落ち着いた。'],
    ['日曜日は大雨と強い風が予想されます。', '天気予報によると、日曜日の午後は雨で風も強い。'],
    ['玉ねぎを刻み、バターで炒めてからご飯を加える。', 'ご飯を玉ねぎとバターで炒めて、塩を加えます。'],
    [
      'サーバーはメッセージを待ち行列に保存し、ワーカーが読み出す。',
      'ワーカーは待ち行列からメッセージを読み出して確認する。',
    ],
  ],
}

describe('an embedding', () => {
  it.each([1, 2, 8, 64, DEFAULT_DIMENSIONS, 1536])('is a unit vector of %i dimensions', (dimensions) => {
    const texts = [
      'Hello',
      '権利',
      '!!!',
      '😀',
      ' ',
      '',
      'the',
      'は',
      '\ud83d',
      declaration('eng').text,
      declaration('jpn').text,
      declaration('tha').text,
    ]
    const vectors = embed(texts, dimensions)

    expect(vectors).toHaveLength(texts.length)
    for (const vector of vectors) {
      expect(vector).toHaveLength(dimensions)
      expect(Math.abs(Math.hypot(...vector) - 1)).toBeLessThan(1e-6)
    }
  })

  it('is the same each time, and in any company', () => {
    expect(embed(['自由と平等', 'other'], 256)[0]).toEqual(embed(['自由と平等'], 256)[0])
  })

  it('does not heed case, width or inflection much', () => {
    const [a, b, c, d] = embed(['Human Rights', 'human right', 'ＡＢＣサービス', 'abcサービス'], 256)
    expect(cosine(a, b)).toBeGreaterThan(0.95)
    expect(cosine(c, d)).toBeGreaterThan(0.95)
  })

  it('tells texts without words apart', () => {
    const [a, b, same] = embed(['!!!', '😀😀', '!!'], 256)
    expect(cosine(a, same)).toBeCloseTo(1)
    expect(cosine(a, b)).toBeLessThan(0.5)
  })
})

describe('two texts on one subject are closer than two on different ones', () => {
  it.each(Object.entries(subjects))('in %s', (_, pairs) => {
    const vectors = pairs.map((pair) => embed(pair, DEFAULT_DIMENSIONS))
    for (const [at, [one, two]] of vectors.entries()) {
      const others = vectors.filter((_, other) => other !== at).flat()
      for (const other of others) expect(cosine(one, two)).toBeGreaterThan(cosine(one, other) + 0.2)
    }
  })

  it.each([
    ['eng', 'Children go to school because education should be free.', 25, 3],
    ['eng', 'Workers want fair pay and may join a trade union.', 22, 4],
    ['jpn', '子どもは学校に通い、無償の教育を受ける。', 25, 3],
    ['jpn', '労働者は公平な賃金を求め、労働組合に加入する。', 22, 4],
  ])('in the articles of the declaration (%s: %s)', (code, text, near, far) => {
    const { articles } = declaration(code)
    const [one, close, distant] = embed([text, articles[near] ?? '', articles[far] ?? ''], DEFAULT_DIMENSIONS)
    expect(cosine(one, close)).toBeGreaterThan(cosine(one, distant))
  })

  it('even where they share no word but those of the subject', () => {
    const [match, final, bank] = embed(
      [
        'The players won the match.',
        'A late goal decided the football final.',
        'The bank raised its interest rate.',
      ],
      256,
    )
    expect(cosine(match, final)).toBeGreaterThan(cosine(match, bank) + 0.1)
  })
})

describe('a long text', () => {
  it.each(['eng', 'jpn'])('takes no more than a moment (%s)', (code) => {
    const { text } = declaration(code)
    const long = text.repeat(Math.ceil(500_000 / text.length)).slice(0, 500_000)
    const started = performance.now()
    embed([long], DEFAULT_DIMENSIONS)

    // About 0.4 s at the most on one core; the bound leaves room for a busy machine.
    expect(performance.now() - started).toBeLessThan(3_000)
  })
})

describe('words weighed by their length', () => {
  it.each([
    ['a word of four letters', 'word:port', 0.25],
    ['a long word', 'word:international', 1],
    ['a word in Cyrillic', 'word:он', 0.0625],
    ['a word in kanji', 'word:港', 1],
    ['a piece of a word', 'gram:port', 1],
    ['a subject', 'topic:travel', 1],
  ])('count, as %s, %s', (_, feature, weight) => {
    expect(byLength(feature)).toBe(weight)
  })

  it.each(['fra', 'nld', 'rus'])('tell the articles of the Declaration apart better (%s)', (code) => {
    const [texts, groups] = [declaration(code).articles, declaration(code).articles.map((_, at) => at)]
    const halves = texts.flatMap((text) => {
      const middle = text.indexOf(' ', text.length / 2)
      return [text.slice(0, middle), text.slice(middle)]
    })
    const right = (vectors: number[][]) =>
      groups.filter((at) => {
        const [own, ...others] = [vectors[2 * at + 1], ...vectors.filter((_, one) => one >> 1 !== at)]
        return others.every((other) => cosine(vectors[2 * at], own) > cosine(vectors[2 * at], other))
      }).length

    expect(right(embed(halves, 1024, byLength))).toBeGreaterThan(right(embed(halves, 256)))
  })
})
