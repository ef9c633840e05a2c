import { describe, expect, it } from 'vitest'
import { textsOf } from './file-texts.ts'

describe('the texts of a file', () => {
  it.each([
    ['application/json', '["one", "two\\nlines"]', ['one', 'two\nlines']],
    ['application/json', '{"not":"a list"}', { not: 'a list' }],
    ['application/json', '["cut', null],
    ['application/x-ndjson', '"one"\r\n\n"two"\n', ['one', 'two']],
    ['application/x-ndjson', '"one"\n2\n', ['one', 2]],
    ['application/x-ndjson', '"one"\nno json\n', null],
    ['text/plain', 'one\r\n  \ntwo "quoted"\n', ['one', 'two "quoted"']],
    ['text/plain', '\n', []],
  ])('of %s %j are %j', (contentType, text, texts) => {
    expect(textsOf({ contentType, text })).toEqual(texts)
  })
})
