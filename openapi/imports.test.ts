import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Which folders each folder may import from, besides itself; tests and their fixtures also from the stand-ins in `test`. */
const inward: Record<string, string[]> = {
  catalog: [],
  openapi: ['catalog'],
  ledger: ['catalog', 'openapi', 'migrations'],
  gateway: ['catalog', 'openapi', 'ledger'],
  consumers: ['catalog', 'openapi', 'ledger'],
  callbacks: ['catalog', 'openapi', 'ledger'],
}

const specifier = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']*)'/g

/** The folders that a file imports from, as `file -> folder`; parts of packages aside. */
const importsOf = (file: string) =>
  Array.from(readFileSync(join(root, file), 'utf8').matchAll(specifier), ([, path = '']) => {
    const [folder] = relative(root, join(root, dirname(file), path)).split('/')
    return `${file} -> ${folder}`
  }).filter((one) => !one.endsWith(' -> node_modules'))

const isOfTests = (one: string) => /\.(?:test|fixture)\.ts /.test(one)

describe('imports point inward only', () => {
  it.each(Object.entries(inward))('in %s', (folder, allowed) => {
    const files = globSync(`${folder}/**/*.ts`, {
      cwd: root,
      exclude: ['**/*.d.ts', '**/.wrangler/**', '**/node_modules/**', '**/generated/**'],
    })
    const imports = files.flatMap(importsOf)

    expect(imports.length).toBeGreaterThan(3)
    const reaches = (one: string) => [folder, ...allowed, ...(isOfTests(one) ? ['test'] : [])]
    expect(imports.filter((one) => !reaches(one).some((to) => one.endsWith(` -> ${to}`)))).toEqual([])
  })
})
