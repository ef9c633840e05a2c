/** The rules over the documents themselves: what they describe cannot go unnoticed. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pathOf } from '../documents.ts'
import { breakingChanges } from './changes.ts'
import type { Document } from './documents.ts'

const read = (file: string): Document => JSON.parse(readFileSync(pathOf(file), 'utf8'))

/** A comparison takes a while, and there are many schemas. */
const EVERY = 8

describe.each(['openapi.json', 'ops.json'])('%s', (file) => {
  const document = read(file)
  const fields = Object.entries(document.components?.schemas ?? {})
    .map(([name, { properties = {} }]) => ({ name, field: Object.keys(properties).at(-1) }))
    .filter(({ field }) => field)

  it('breaks nothing as it is', () => {
    expect(breakingChanges(document, read(file))).toEqual([])
  })

  it.each(fields.filter((_, index) => index % EVERY === 0))('cannot lose $name.$field', ({ name, field }) => {
    const after = structuredClone(document)
    const properties: object = after.components?.schemas?.[name]?.properties ?? {}
    Reflect.deleteProperty(properties, field ?? '')

    expect(breakingChanges(document, after)).not.toEqual([])
  })

  it('cannot lose an operation', () => {
    const gone = breakingChanges(document, { ...document, paths: {} }).map(({ place }) => place)
    const places = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(gone).toEqual(places)
  })
})
