import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

const statement = /^(?:import|export) (?!type )(?:[^'"]*? from )?'(\.[^']*\.ts)'/gm

const importedBy = (file: string) =>
  Array.from(readFileSync(join(root, file), 'utf8').matchAll(statement), ([, path = '']) =>
    join(dirname(file), path),
  )

/** What is loaded before the first request, ours only. */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded
  loaded.add(file)
  for (const imported of importedBy(file)) loadedWith(imported, loaded)
  return loaded
}

const operators = loadedWith('gateway/operators-app.ts')
const tenants = loadedWith('gateway/tenants-app.ts')
const documents = loadedWith('gateway/documents/tenants.ts')

describe('the gateway', () => {
  const start = loadedWith('gateway/worker.ts')

  it.each([
    'gateway/operators-app.ts',
    'gateway/operator-routes.ts',
    'openapi/ops.ts',
    'openapi/alerts.ts',
    'openapi/model-evaluations.ts',
  ])('starts without %s, which operators ask for', (file) => {
    expect(operators).toContain(file)
    expect(start).not.toContain(file)
  })

  it.each(['gateway/tenants-app.ts', 'openapi/batch-contents.ts', 'openapi/deliveries.ts'])(
    'starts without %s, which few requests are for',
    (file) => {
      expect(tenants).toContain(file)
      expect(start).not.toContain(file)
    },
  )

  it.each(['openapi/document.ts', 'openapi/examples/events.ts', 'openapi/tags.ts'])(
    'starts without %s, which is asked for with a document',
    (file) => {
      expect(documents).toContain(file)
      expect(start).not.toContain(file)
    },
  )

  it('starts with what most requests are for', () => {
    expect(start).toContain('gateway/routes/jobs.ts')
    expect(start).toContain('ledger/tenant-ledger.ts')
  })
})

describe('schemas', () => {
  it('are described by Zod’s own registry: `.openapi` copies each and wraps its methods, at every start', () => {
    const schemas = [...operators, ...documents].filter((file) => file.startsWith('openapi/'))

    expect(schemas.length).toBeGreaterThan(20)
    expect(schemas.filter((file) => readFileSync(join(root, file), 'utf8').includes('.openapi('))).toEqual([])
  })
})
