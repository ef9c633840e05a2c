import { describe, expect, it } from 'vitest'
import { classify } from './classify.ts'
import { declaration } from './udhr.fixture.ts'

const best = (text: string, labels: string[]) => classify(text, labels)[0]?.label

describe('the first label', () => {
  const news = ['sports', 'politics', 'business', 'technology', 'health', 'entertainment']
  const support = ['billing', 'technical_support', 'shippingDelay', 'account-access', 'feature request']
  const ニュース = ['スポーツ', '政治', '経済', '技術', '医療', '芸能']
  const 窓口 = ['請求・支払い', '技術的な不具合', '配送', 'ログイン・アカウント', '機能の要望']

  it.each([
    ['The home side scored twice in the final minutes to win the cup.', news, 'sports'],
    ['The central bank raised interest rates as inflation stayed high.', news, 'business'],
    ['A new vaccine reduced infections among older patients, doctors said.', news, 'health'],
    ['I was charged twice for my subscription, please refund me.', support, 'billing'],
    ['The app crashes with an error every time I open it.', support, 'technical_support'],
    ['My parcel has not arrived and tracking shows nothing.', support, 'shippingDelay'],
    ['I forgot my password and cannot log in.', support, 'account-access'],
    ['I absolutely loved this film, the acting was wonderful.', ['negative', 'positive'], 'positive'],
    ['昨日のサッカーの試合は2対1で日本代表が勝った。', ニュース, 'スポーツ'],
    ['日銀は金利の引き上げを決め、円安に歯止めがかかるか注目される。', ニュース, '経済'],
    ['首相は国会で新しい法案について説明し、野党は反発した。', ニュース, '政治'],
    ['先月の料金が二重に引き落とされています。返金してください。', 窓口, '請求・支払い'],
    ['アプリを開くとすぐにエラーが出て落ちてしまいます。', 窓口, '技術的な不具合'],
    ['注文した商品がまだ届きません。荷物の追跡もできません。', 窓口, '配送'],
    ['パスワードを忘れてしまい、サインインできません。', 窓口, 'ログイン・アカウント'],
    ['待ち時間が長く、対応も最悪でした。', ['ポジティブ', 'ネガティブ'], 'ネガティブ'],
    ['昨日のサッカーの試合は日本が勝った。', ['politics', 'sports'], 'sports'],
  ])('of "%s" is the right one', (text, labels, label) => {
    expect(best(text, labels)).toBe(label)
  })

  it.each([
    ['eng', ['slavery', 'torture', 'fair trial', 'nationality', 'marriage', 'property', 'work', 'education']],
    ['jpn', ['奴隷', '拷問', '裁判', '国籍', '婚姻', '財産', '労働', '教育']],
  ])('of each article of the declaration is its subject (%s)', (code, labels) => {
    const { articles } = declaration(code)
    const found = [3, 4, 9, 14, 15, 16, 22, 25].map((at) => best(articles[at] ?? '', labels))
    expect(found).toEqual(labels)
  })
})

describe('the scores', () => {
  const texts = [
    'Everyone has the right to education.',
    '教育',
    '!!!',
    '😀',
    '',
    declaration('eng').text,
    declaration('jpn').text,
  ]
  const labels = [
    'education',
    '労働',
    '???',
    'right_to_life',
    'freeSpeech',
    '👍',
    ' ',
    ...Array.from({ length: 93 }, (_, at) => `label ${at}`),
  ]

  it.each(texts)('are a share of one for every label, best first', (text) => {
    for (const given of [labels, labels.slice(0, 2), labels.slice(0, 1)]) {
      const scored = classify(text, given)
      const scores = scored.map(({ score }) => score)

      expect(scored.map(({ label }) => label).sort()).toEqual([...given].sort())
      expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true)
      expect(scores).toEqual([...scores].sort((a, b) => b - a))
      expect(Math.abs(scores.reduce((sum, score) => sum + score, 0) - 1)).toBeLessThan(1e-9)
    }
  })

  it('are equal, in the order given, where nothing speaks for a label', () => {
    const scored = classify('xyzzy', ['zebra', 'apple', 'mango'])
    expect(scored.map(({ label }) => label)).toEqual(['zebra', 'apple', 'mango'])
    expect(new Set(scored.map(({ score }) => score)).size).toBe(1)
  })

  it.each(['refundRequest', 'refund_request', 'refund-request', 'refund request', 'REFUND REQUEST'])(
    'read %s as words',
    (label) => {
      const [first] = classify('I would like to request a refund for my order.', ['weather report', label])
      expect(first?.label).toBe(label)
      expect(first?.score).toBeGreaterThan(0.9)
    },
  )

  it('do not fade with the length of the text', () => {
    const long = `${declaration('eng').text}\nThe football match was won by a late goal. The football team celebrated.`
    expect(classify(long, ['football', 'cooking'])[0]).toMatchObject({ label: 'football' })
    expect(classify(long, ['football', 'cooking'])[0]?.score).toBeGreaterThan(0.9)
  })
})
