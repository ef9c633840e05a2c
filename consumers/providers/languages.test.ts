import { describe, expect, it } from 'vitest'
import { languageTag } from './languages.ts'

describe('a language', () => {
  it.each([
    ['english', 'en'],
    ['Japanese', 'ja'],
    ['chinese', 'zh'],
    ['german', 'de'],
    ['hawaiian', 'haw'],
    ['norwegian', 'no'],
    ['nynorsk', 'nn'],
    ['haitian creole', 'ht'],
    ['tagalog', 'tl'],
    ['lao', 'lo'],
    ['en', 'en'],
    ['pt-BR', 'pt-BR'],
  ])('called %s has the tag %s', (name, expected) => {
    expect(languageTag(name)).toBe(expected)
  })

  it.each([null, undefined, '', 'klingonese', 'a language'])('called %j has none', (name) => {
    expect(languageTag(name)).toBeNull()
  })
})
