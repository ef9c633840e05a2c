import { expect, it } from 'vitest'
import { earliest } from './earliest.ts'

it.each([
  [[], null],
  [[null, null], null],
  [[null, 3, 2], 2],
  [[0, 5], 0],
])('of %j the first to come is %j', (times, first) => {
  expect(earliest(times)).toBe(first)
})
