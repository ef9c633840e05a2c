import { describe, expect, it } from 'vitest'
import { hasSeen } from '../ledger/seen.ts'
import { seenBy } from './if-none-match.ts'

const names = (header: string | undefined) => hasSeen(seenBy(header), '3-running')

describe('an If-None-Match header', () => {
  it.each([
    ['the tag', 'W/"3-running"'],
    ['it as a strong tag', '"3-running"'],
    ['it in a list', '"1-x", W/"3-running", "9-y"'],
    ['it in a list without spaces', '"1-x",W/"3-running"'],
    ['it in a list with empty places', ', "1-x",, W/"3-running" ,'],
    ['it beside a tag with a comma', '"1,x", "3-running"'],
    ['any', '*'],
    ['any, with space around it', ' * '],
  ])('names %s', (_, header) => {
    expect(names(header)).toBe(true)
  })

  it.each([
    ['is missing', undefined],
    ['is empty', ''],
    ['names another version', 'W/"2-running"'],
    ['names another reason', 'W/"3-waiting_for_retry"'],
    ['names a list of others', 'W/"1-running", W/"2-running"'],
    ['names a part of it', 'W/"3-run"'],
    ['names it within another', '"x"3-running"'],
  ])('does not when it %s', (_, header) => {
    expect(names(header)).toBe(false)
  })

  it.each([
    '3-running',
    'w/"3-running"',
    'W/ "3-running"',
    '"3-running',
    '"1-x" "3-running"',
    '"3-running"; x',
    '*, "3-running"',
    ',',
  ])('that is malformed counts as none: %j', (header) => {
    expect(seenBy(header)).toBeNull()
  })

  it('of a megabyte is read in no time', () => {
    const header = `${'"a",'.repeat(100_000)}"a" ${' ,'.repeat(100_000)}x`

    expect(seenBy(header)).toBeNull()
  })
})
