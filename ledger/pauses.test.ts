import { describe, expect, it } from 'vitest'
import { Pauses } from './pauses.ts'

describe('a pause of a model', () => {
  it('ends by itself', () => {
    const pauses = new Pauses()
    pauses.pause('m', 100)

    expect([pauses.has('m', 99), pauses.has('m', 100), pauses.has('other', 0)]).toEqual([true, false, false])
    expect([pauses.models(99), pauses.models(100)]).toEqual([['m'], []])
  })

  it('is not shortened by a later word', () => {
    const pauses = new Pauses()
    pauses.pause('m', 100)
    pauses.pause('m', 50)

    expect(pauses.has('m', 99)).toBe(true)
  })

  it('wakes at the first end', () => {
    const pauses = new Pauses()
    pauses.pause('m', 100)
    pauses.pause('n', 50)

    expect([pauses.nextEnd(0), pauses.nextEnd(50), pauses.nextEnd(100)]).toEqual([50, 100, null])
  })
})
