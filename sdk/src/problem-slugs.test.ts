import { expect, it } from 'vitest'
import { problemCodes } from '../../openapi/problems.ts'
import { problemSlugs } from './problem-slugs.ts'

/** What only operators are answered with. */
const operators = ['not-redrivable', 'dead-letter-settled', 'tenant-busy']

it('every problem that the gateway answers tenants with is known by its slug', () => {
  expect([...problemSlugs].sort()).toEqual(problemCodes.filter((code) => !operators.includes(code)).sort())
})
