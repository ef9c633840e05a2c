import { describe, expect, it } from 'vitest'
import { eventsBefore, providerKeyOf } from './epoch.ts'
import { mintSequencedId, sequenceOf } from './ids.ts'

const zeros = (length: number) => new Uint8Array(length)

describe('epochs', () => {
  it.each([
    ['before any restore', 0, 0, 'job_1-0'],
    ['after an answer that is known', 0, 2, 'job_1-2'],
    ['after a restore', 1, 0, 'job_1-r1-0'],
    ['after another', 12, 3, 'job_1-r12-3'],
  ])('give a provider a key of their own: %s', (_, epoch, answers, key) => {
    expect(providerKeyOf('job_1', epoch, answers)).toBe(key)
  })

  it.each([0, 1, 2, 255])('number events apart, in IDs too: %d', (epoch) => {
    const [first, last] = [eventsBefore(epoch) + 1, eventsBefore(epoch + 1)]

    expect(first).toBeGreaterThan(eventsBefore(epoch))
    expect(last - first).toBe(2 ** 32 - 1)
    expect(sequenceOf('evt', mintSequencedId('evt', 0, 1, first, zeros))).toBe(first)
    if (epoch < 255) expect(sequenceOf('evt', mintSequencedId('evt', 0, 1, last, zeros))).toBe(last)
  })
})
