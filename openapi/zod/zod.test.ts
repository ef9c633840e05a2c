import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import * as whole from 'zod'
import * as lean from './names.ts'

const root = join(import.meta.dirname, '../..')
const folders = ['catalog', 'openapi', 'ledger', 'gateway', 'consumers', 'callbacks']
const packages = ['@hono/zod-openapi', '@asteasolutions/zod-to-openapi'].map((name) =>
  fileURLToPath(import.meta.resolve(name)),
)

const ownFiles = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules') && !name.includes('.test.'))
    .map((name) => join(root, folder, name)),
)

/** Names that a file takes from `z`; some are of types. */
const takenBy = (path: string) =>
  Array.from(readFileSync(path, 'utf8').matchAll(/\bz\.([A-Za-z$]\w*)/g), ([, name]) => name ?? '')

/** There, these are types only. */
const types = ['core', 'input', 'output']

describe('the zod of the bundles', () => {
  it('is that of the package', () => {
    const { iso, coerce, ...names } = lean

    expect(whole).toMatchObject(names)
    expect(names.string).toBe(whole.string)
    expect([iso.datetime, coerce.number]).toEqual([whole.iso.datetime, whole.coerce.number])
  })

  it('has whatever the Workers and their packages take from it', () => {
    const values = [...ownFiles, ...packages].flatMap(takenBy).filter((name) => name in whole)

    expect(values).toContain('strictObject')
    expect(values.filter((name) => !types.includes(name) && !(name in lean))).toEqual([])
  })
})
