import { describe, expect, it } from 'vitest'
import { itemClasses } from '../../openapi/batch-states.ts'
import { itemErrorOf } from './item-error.ts'

describe('the error of an item', () => {
  it.each(itemClasses)('has words of ours for %s', (itemClass) => {
    const error = itemErrorOf(itemClass)

    expect(error.class).toBe(itemClass)
    expect(error.message).toMatch(/^[A-Z].*\.$/)
  })

  it.each(['missing_result', 'duplicate_result'] as const)(
    'says that running again may mend %s',
    (itemClass) => {
      expect(itemErrorOf(itemClass).retryable).toBe(true)
    },
  )

  it('says that running again does not mend what is the matter with an input', () => {
    expect(itemErrorOf('invalid_input').retryable).toBe(false)
  })
})
