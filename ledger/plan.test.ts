import { describe, expect, it } from 'vitest'
import { Plan } from '../openapi/plan.ts'
import { contradictions, planOf } from './plan.ts'

describe('a plan', () => {
  it('has defaults for what was not named', () => {
    expect(planOf({ max_running: 7 })).toEqual({ ...Plan.parse({}), max_running: 7 })
  })

  it('lets a default give way to what was named', () => {
    expect(planOf({ max_backlog: 3 })).toMatchObject({ max_backlog: 3, max_running: 3 })
    expect(planOf({ max_backlog: 60 })).toMatchObject({ max_backlog: 60, max_running: 50 })
  })
})

describe('limits', () => {
  it.each([
    [{}, {}],
    [{ max_backlog: 1 }, { max_backlog: 1 }],
    [{ max_backlog: 5, max_running: 5 }, { max_running: 5 }],
  ])('%j do not contradict each other', (named, request) => {
    expect(contradictions(named, request)).toEqual([])
  })

  it.each([
    ['the part', { max_running: 6 }, '/limits/max_running'],
    ['the whole', { max_backlog: 5 }, '/limits/max_backlog'],
    ['both', { max_running: 6, max_backlog: 5 }, '/limits/max_running'],
  ])('contradict each other where more may run than be there, whoever names %s', (_, request, pointer) => {
    const found = contradictions({ max_running: 6, max_backlog: 5 }, request)

    expect(found.map((one) => one.pointer)).toEqual([pointer])
  })
})
