import { describe, expect, it } from 'vitest'
import { rulesOf } from './item.fixture.ts'
import { readItem } from './item.ts'
import { expectedOf, fileFault } from './item-files.ts'

describe('the files of an item', () => {
  const read = readItem({ external_reference: 'a', input: { file_id: 'file_1' } }, rulesOf())
  const item = read.ok ? read.value : null
  const filesOf = (contentType: string, bytes: number) =>
    new Map([['file_1', { id: 'file_1', ref: 'r', contentType, bytes }]])

  it.each([
    ['are there', filesOf('text/plain', 300), null],
    ['are not there', new Map(), 'There is no such file.'],
    ['are of another form', filesOf('audio/wav', 300), 'summarize reads text, and this file is audio/wav.'],
    ['are too large', filesOf('text/plain', 2_000_004), 'Too large for summarize: at most 2000003 bytes.'],
  ])('are told of when they %s', (_, files, detail) => {
    const errors = detail === null ? undefined : [{ pointer: '/input/file_id', detail }]

    expect(item && fileFault(item, rulesOf(), files)?.errors).toEqual(errors)
  })

  it('count for what the item is expected to take', () => {
    expect(item && expectedOf(item, rulesOf(), filesOf('text/plain', 300))).toEqual({
      inputTokens: 100,
      estimateMicroUsd: 10_000,
    })
  })
})
