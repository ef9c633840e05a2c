/** The form of what generated code is named after: to change a name is to break customers, so it has to be right at once. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

type Operation = { operationId: string; tags: string[] }
type Methods = Record<string, Operation>
type Document = { paths: Record<string, Methods>; webhooks?: Record<string, Methods> }

const read = (file: string): Document => JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'))

const operationsOf = (items: Record<string, Methods> = {}) =>
  Object.entries(items).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  )

const idStart: Record<string, RegExp> = {
  get: /^(?:get|list)[A-Z]/,
  post: /^[a-z]+[A-Z]/,
  patch: /^update[A-Z]/,
  delete: /^delete[A-Z]/,
}
const segment = /^(?:[a-z]+(?:_[a-z]+)*|\{[a-z]+(?:_[a-z]+)*\})$/
const twoInARow = /\}\/\{/

describe.each(['openapi.json', 'ops.json'])('%s', (file) => {
  const { paths, webhooks } = read(file)
  const operations = operationsOf(paths)
  const every = [...operations, ...operationsOf(webhooks)]

  it.each(operations)('calls $method $path a verb and a noun: $operationId', ({ method, operationId }) => {
    expect(operationId).toMatch(/^[a-z][A-Za-z]*$/)
    expect(operationId).toMatch(idStart[method] ?? /^never$/)
  })

  it.each(Object.keys(paths).filter((path) => path !== '/oauth/token'))(
    'has %s in snake_case, with a noun between parameters',
    (path) => {
      const [, ...segments] = path.split('/')
      const [start, ...rest] = file === 'ops.json' ? segments.slice(1) : segments
      expect(start).toBe('v1')
      expect(rest.filter((part) => !segment.test(part))).toEqual([])
      expect(path).not.toMatch(twoInARow)
    },
  )

  it.each(every)('has $operationId under one tag, in plain words', ({ tags }) => {
    expect(tags).toHaveLength(1)
    expect(tags[0]).toMatch(/^[A-Z][a-z]+(?: [a-z]+)*$/)
  })
})

describe('webhooks', () => {
  it.each(operationsOf(read('openapi.json').webhooks))('$path is $operationId', ({ path, operationId }) => {
    const parts = path.split(/[._]/).map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
    expect(operationId).toBe(`on${parts.join('')}`)
  })
})
