import { describe, expect, it } from 'vitest'
import { failureClasses } from '../openapi/job-words.ts'
import { cures } from './cures.ts'
import { failures } from './failure.ts'

describe('a redrive', () => {
  it.each(failureClasses)('of %s is held out only where operators can mend the failure', (failure) => {
    const isTheCustomers = cures[failure].reason.includes('for the customer to change')

    expect(isTheCustomers).toBe(!failures[failure].deadLetter)
  })

  it.each([
    ['permission_denied', /credential/],
    ['model_not_found', /catalog/],
    ['provider_unavailable', /works again/],
    ['deadline_exceeded', /waiting/],
  ] as const)('of %s names what must be so first', (failure, condition) => {
    expect(cures[failure].condition).toMatch(condition)
  })
})
