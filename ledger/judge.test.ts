import { describe, expect, it } from 'vitest'
import { type FailureClass, failureClasses } from '../openapi/job-words.ts'
import { failures, MAX_ATTEMPTS } from './failure.ts'
import { type FailureCounts, isDeadLetter, judge, retryDelayMs } from './judge.ts'

const backoff = { baseMs: 1000, capMs: 60_000 }
const lowest = () => 0
const highest = () => 1

/** Class, attempts of it at most, whether the customer may submit the same again, whether operators have to look at it. */
const classes: [FailureClass, number, boolean, boolean][] = [
  ['timeout', 6, true, true],
  ['rate_limited', 6, true, true],
  ['provider_unavailable', 6, true, true],
  ['provider_overloaded', 6, true, true],
  ['invalid_output', 2, true, true],
  ['internal', 3, true, true],
  ['permission_denied', 1, true, true],
  ['model_not_found', 1, true, true],
  ['invalid_input', 1, false, false],
  ['input_too_large', 1, false, false],
  ['content_filtered', 1, false, false],
  ['unsupported_kind', 1, false, false],
  ['budget_exhausted', 1, true, false],
  ['deadline_exceeded', 1, true, true],
]

const verdict = (failed: FailureClass, counts: FailureCounts) =>
  judge({ class: failed, retryAfterMs: null }, counts, backoff, highest).kind

/** Attempts until the job fails when every one ends like this. */
function attemptsOf(failed: FailureClass): number {
  let attempts = 1
  while (verdict(failed, { [failed]: attempts - 1 }) === 'retry') attempts++
  return attempts
}

describe('a failure', () => {
  it('has a row for every class', () => {
    expect(classes.map(([name]) => name)).toEqual([...failureClasses])
  })

  it.each(classes)('of class %s is tried %i times at most', (name, attempts) => {
    expect(attemptsOf(name)).toBe(attempts)
  })

  it.each(classes)('of class %s tells who can mend it', (name, _, retryable, deadLetter) => {
    expect(failures[name]).toMatchObject({ retryable, deadLetter })
    expect(isDeadLetter(name, {})).toBe(deadLetter)
  })

  it.each(classes)('of class %s has a message of its own', (name) => {
    const others = classes.filter(([other]) => other !== name).map(([other]) => failures[other].message)

    expect(failures[name].message).toMatch(/^[A-Z][^{}$]{10,}\.$/)
    expect(others).not.toContain(failures[name].message)
  })

  it('counts against its own class only', () => {
    expect(verdict('invalid_output', { timeout: 4, internal: 1 })).toBe('retry')
    expect(verdict('invalid_output', { invalid_output: 1 })).toBe('fail')
  })

  it('ends the job at the eighth attempt, whatever the classes', () => {
    expect(MAX_ATTEMPTS).toBe(8)
    expect(verdict('provider_unavailable', { timeout: 3, rate_limited: 3 })).toBe('retry')
    expect(verdict('provider_unavailable', { timeout: 4, rate_limited: 3 })).toBe('fail')
  })
})

describe('the delay before a retry', () => {
  it.each([
    [1, 1000],
    [2, 2000],
    [3, 4000],
    [6, 32_000],
    [7, 60_000],
    [20, 60_000],
  ])('after %i failures lies between nothing and %i ms', (failed, ceiling) => {
    expect(retryDelayMs(failed, backoff, 0, lowest)).toBe(0)
    expect(retryDelayMs(failed, backoff, 0, () => 0.5)).toBe(ceiling / 2)
    expect(retryDelayMs(failed, backoff, 0, highest)).toBe(ceiling)
  })

  it.each([
    ['is never shorter than the provider asked for', 5000, lowest, 5000],
    ['may be longer than the provider asked for', 5000, highest, 8000],
    ['is as long as the provider asked for even above the cap', 3_600_000, highest, 3_600_000],
  ])('%s', (_, retryAfterMs, random, delayMs) => {
    const counts = { timeout: 2, rate_limited: 1 }

    const judged = judge({ class: 'rate_limited', retryAfterMs }, counts, backoff, random)

    expect(judged).toEqual({ kind: 'retry', delayMs })
  })
})

describe('a job past its deadline', () => {
  it.each<[string, FailureCounts, boolean]>([
    ['is a dead letter when it never started', {}, true],
    ['is a dead letter when it only had failures that pass', { timeout: 2, invalid_output: 1 }, true],
    ['is none when the customer had something to mend', { timeout: 2, invalid_input: 1 }, false],
  ])('%s', (_, counts, expected) => {
    expect(isDeadLetter('deadline_exceeded', counts)).toBe(expected)
  })
})
