import { describe, expect, it } from 'vitest'
import { isFounded } from './founded.ts'

const source = `Maria Lopez of the World Health Organization met the mayor of Zürich on 30 November 2026. Three towns,
among them McKay's Rest, got 1,250,000 francs, 12.5 % more than in 2025; twenty-one others got nothing. The year before it
was 1 100 000. Doctors without borders were there.`

const japanese = `国連総会は1948年12月10日に世界人権宣言を採択した。第三十条まであり、田中氏とスミス氏が二〇二六年に
データを調べた。費用は十二億円だった。`

const german =
  'Der Bürgermeister der Stadt Zürich sprach am Montag über den Haushalt und die Schulen im Kanton.'

describe('a text is founded', () => {
  it.each([
    ['nothing to found', '', ''],
    ['no number and no name', 'Towns got money.', source],
    ['a number in other digits', 'It was ２０２６.', source],
    ['a number of another script', 'كان عام ٢٠٢٦', source],
    ['thousands told apart otherwise', 'They got 1 250 000 or 1.250.000 or 1250000 francs.', source],
    ['a fraction written otherwise', 'It was 12,5 % or 12.50 %.', source],
    ['a number that the source spells', 'The 3 towns and 1 other.', 'Three towns and one other.'],
    ['a number of two words', 'The 21 others, or 1.', source],
    ['a number that the source spells in kanji', '第30条、2026年、1200000000円。', japanese],
    ['a date of known parts', 'On 2026-11-30.', '30 November 2026, the 11th month.'],
    ['numbers that only stand beside each other', 'In 2026 300 came.', 'Of 300 in the year 2026.'],
    ['a version', 'By 2.4.1.', 'Of 2.4.1, not 2.4.'],
    ['names within a sentence', 'There Maria Lopez met the mayor of Zürich.', source],
    ['a name in capitals', 'Then ZÜRICH paid.', source],
    ['a name with another ending', 'By Lopezes and the Organizations.', source],
    ['an abbreviated name', 'The mayor met the WHO.', source],
    ['a name with a capital inside', "McKay's Rest got money.", source],
    [
      'a word with a capital that begins a sentence',
      'However, towns got money. “Nothing,” they said. Others too.',
      source,
    ],
    ['a pronoun with a capital', "Then I'm told that I've nothing.", source],
    ['a person, and what is named in katakana', '田中氏がデータを調べた。スミス氏も。', japanese],
    ['capitals, in a language that has many', 'Es ging um die Ausgaben und das Geld.', german],
  ])('with %s', (_, text, from) => {
    expect(isFounded(text, from)).toBe(true)
  })

  it.each([
    ['a number', 'They got 1,350,000 francs.', source],
    ['a number that is part of another', 'They got 250 francs and 50.', source],
    ['a fraction', 'It was 12.6 %.', source],
    ['a small number', 'The 5 towns.', source],
    ['a year', '1949年に採択した。', japanese],
    ['a name', 'There Maria Lopes met the mayor of Geneva.', source],
    ['an abbreviation', 'The mayor met the FBI.', source],
    ['a part of a word as a name', 'The mayor met Zür.', source],
    ['a person', '鈴木氏が調べた。', japanese],
    ['what is named in katakana', 'ジュネーブで採択した。', japanese],
  ])('not with %s that its source does not hold', (_, text, from) => {
    expect(isFounded(text, from)).toBe(false)
  })
})
