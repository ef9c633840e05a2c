import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const naming = /(?:\.openapi|openEnum|closedEnum|pageOf|eventOf)\(\s*'([A-Z]\w*)'/g

const given = globSync('{openapi,catalog}/**/*.ts', {
  cwd: root,
  exclude: ['**/tools/**', '**/*.test.ts'],
}).flatMap((file) =>
  Array.from(readFileSync(join(root, file), 'utf8').matchAll(naming), ([, name = '']) => name),
)

describe('the name of a schema', () => {
  it('is given once: of two that have one name, the document would show the first in the place of both', () => {
    expect(given.length).toBeGreaterThan(80)
    expect(given.filter((name, index) => given.indexOf(name) !== index)).toEqual([])
  })
})
