import { describe, expect, it } from 'vitest'
import { matchesEtag } from './job.ts'

const tag = 'W/"3-running"'

describe('an If-None-Match header', () => {
  it.each([
    ['names the tag', tag],
    ['names it as a strong tag', '"3-running"'],
    ['names it in a list', '"1-x", W/"3-running", "9-y"'],
    ['names it in a list without spaces', '"1-x",W/"3-running"'],
    ['names any', '*'],
    ['names any, with space around it', ' * '],
  ])('matches when it %s', (_, header) => {
    expect(matchesEtag(header, tag)).toBe(true)
  })

  it.each([
    ['is missing', undefined],
    ['is empty', ''],
    ['names another version', 'W/"2-running"'],
    ['names another reason', 'W/"3-waiting_for_retry"'],
    ['names a list of others', 'W/"1-running", W/"2-running"'],
    ['names it without quotes', '3-running'],
    ['names it with a small w', 'w/"3-running"'],
    ['names a part of it', 'W/"3-run"'],
  ])('does not match when it %s', (_, header) => {
    expect(matchesEtag(header, tag)).toBe(false)
  })

  it('matches a strong tag as well', () => {
    expect(matchesEtag('W/"a"', '"a"')).toBe(true)
  })
})
