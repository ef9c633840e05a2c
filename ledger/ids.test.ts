import { describe, expect, it } from 'vitest'
import { type IdPrefix, idFloor, isId, mintId, mintSequencedId, randomBytes, sequenceOf } from './ids.ts'

const prefixes: IdPrefix[] = ['job', 'batch', 'file', 'evt', 'we', 'dlv', 'dl', 'client']
const now = Date.UTC(2026, 10, 29)
const zeros = (length: number) => new Uint8Array(length)
const ones = (length: number) => new Uint8Array(length).fill(255)

describe('an ID', () => {
  it.each(prefixes)('of %s is its prefix and 28 Crockford base-32 characters', (prefix) => {
    const id = mintId(prefix, 0, now, randomBytes)

    expect(id).toMatch(new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{28}$`))
    expect(isId(prefix, id)).toBe(true)
  })

  it('sorts by creation, to the millisecond and for a thousand years', () => {
    const moments = [0, 1, 31, 32, now - 1, now, now + 1, now + 1000, Date.UTC(3000, 0)]
    const ids = moments.map((at, index) => mintId('job', 0, at, index % 2 ? zeros : ones))

    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('carries the shard after the time', () => {
    const heads = [0, 1, 31, 32, 1023].map((shard) => mintId('job', shard, now, zeros).slice(14, 16))

    expect(heads).toEqual(['00', '01', '0z', '10', 'zz'])
  })

  it('carries the number of its event', () => {
    const ids = [1, 2, 33, 1_000_000].map((sequence, at) =>
      mintSequencedId('evt', 0, now, sequence, at % 2 ? zeros : ones),
    )

    expect(ids.map((id) => id.slice(16, 24))).toEqual(['00000001', '00000002', '00000011', '0000ygj0'])
    expect(ids.toSorted()).toEqual(ids)
    expect(ids.every((id) => isId('evt', id))).toBe(true)
  })

  it.each([1, 31, 32, 1_000_000, 32 ** 8 - 1])('gives back %i, the number of its event', (sequence) => {
    expect(sequenceOf('dlv', mintSequencedId('dlv', 7, now, sequence, randomBytes))).toBe(sequence)
  })

  it('of another form gives back no number', () => {
    const id = mintSequencedId('dlv', 0, now, 1, randomBytes)

    for (const text of [id.replace('dlv', 'evt'), id.slice(1), id.toUpperCase(), `${id}0`, ''])
      expect(sequenceOf('dlv', text)).toBeNull()
  })

  it('differs from every other of the same moment', () => {
    const ids = Array.from({ length: 1000 }, () => mintId('job', 0, now, randomBytes))

    expect(new Set(ids).size).toBe(1000)
  })

  it('is at or above the floor of its moment, and below that of the next', () => {
    const id = mintId('job', 0, now, ones)

    expect(idFloor('job', now) <= mintId('job', 0, now, zeros)).toBe(true)
    expect(id < idFloor('job', now + 1)).toBe(true)
    expect(idFloor('job', -5)).toBe('job_0000000000')
  })
})

describe('the check of an ID', () => {
  const tail = '01kb1s3v00000000000000000000'

  it('takes one of ours', () => {
    expect(isId('job', `job_${tail}`)).toBe(true)
  })

  it.each([
    ['of another prefix', `batch_${tail}`],
    ['without a prefix', tail],
    ['of a longer prefix', `xjob_${tail}`],
    ['in capitals', `job_${tail.toUpperCase()}`],
    ['one character short', `job_${tail.slice(1)}`],
    ['one character long', `job_${tail}0`],
    ['with a letter that is not of the alphabet', `job_${tail.slice(1)}u`],
    ['with a line break at its end', `job_${tail}\n`],
    ['with a space at its start', ` job_${tail}`],
    ['with a path', `job_${tail}/../x`],
    ['that is empty', ''],
    ['that is __proto__', '__proto__'],
  ])('refuses one %s', (_, id) => {
    expect(isId('job', id)).toBe(false)
  })
})
