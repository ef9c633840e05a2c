import { describe, expect, it } from 'vitest'
import { failureClasses } from '../openapi/job-words.ts'
import { type EventType, eventTypes } from '../openapi/webhooks.ts'
import { errorOf, wants } from './events.ts'

const named = (family: string) => eventTypes.filter((type) => type.startsWith(`${family}.`))

describe('a subscription', () => {
  it.each<[string, string[], readonly EventType[]]>([
    ['a name takes that event', ['job.failed'], ['job.failed']],
    ['a family takes its events', ['job.*'], named('job')],
    ['another family takes its own', ['batch.*'], named('batch')],
    ['everything takes all', ['*'], eventTypes],
    ['several take what any of them takes', ['ping', 'batch.failed'], ['batch.failed', 'ping']],
    ['nothing takes none', [], []],
    ['the start of a name takes none', ['job', 'job.', 'job.f', 'job.f*', 'jo.*'], []],
    ['a longer family takes none', ['job.failed.*'], []],
  ])('to %s', (_, subscribed, expected) => {
    expect(eventTypes.filter((type) => wants(subscribed, type))).toEqual(expected)
  })
})

describe('the error of an event', () => {
  it.each(failureClasses)('is of class %s, with our own message', (name) => {
    expect(errorOf(name)).toEqual({
      class: name,
      message: expect.stringMatching(/^[A-Z].+\.$/),
      retryable: expect.any(Boolean),
    })
  })
})
