/** What in a document breaks those who go by an older one: callers, receivers of webhooks, and code that was generated from it. */
import type { Change, Document, Operation } from './documents.ts'
import { operationChanges } from './operations.ts'
import type { Flow } from './rules.ts'
import { schemeChanges } from './security.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

function operationsOf(items: Document['paths'] = {}): Record<string, Operation> {
  const found = Object.entries(items).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
  )
  return Object.fromEntries(found)
}

type Side = { readonly document: Document; readonly operations: Record<string, Operation> }

function changesOfOperations(before: Side, after: Side, flow: Flow, seen: Set<string>): Change[] {
  return Object.entries(before.operations).flatMap(([place, operation]) => {
    const now = after.operations[place]
    if (!now) return [{ place, message: 'is gone' }]
    return operationChanges(operation, now, {
      flow,
      place,
      before: before.document,
      after: after.document,
      seen,
    })
  })
}

/** Types in generated code are called after them. */
function goneSchemas(before: Document, after: Document): Change[] {
  const now = after.components?.schemas ?? {}
  return Object.keys(before.components?.schemas ?? {})
    .filter((name) => !(name in now))
    .map((name) => ({ place: `schema ${name}`, message: 'is gone' }))
}

export function breakingChanges(before: Document, after: Document): Change[] {
  const seen = new Set<string>()
  const side = (document: Document, items: Document['paths'] | undefined): Side => ({
    document,
    operations: operationsOf(items),
  })
  return [
    ...changesOfOperations(side(before, before.paths), side(after, after.paths), 'in', seen),
    ...changesOfOperations(side(before, before.webhooks), side(after, after.webhooks), 'out', seen),
    ...goneSchemas(before, after),
    ...schemeChanges(before, after),
  ]
}
