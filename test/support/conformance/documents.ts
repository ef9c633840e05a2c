/** The committed documents, read as somebody does who knows nothing else of the gateway. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { closed } from './closing.ts'
import { addComponents } from './schemas.ts'

export type Content = Record<string, { readonly schema?: object }>

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly explode?: boolean
  readonly schema?: object
}

export interface ResponseObject {
  readonly headers?: Record<string, { readonly required?: boolean; readonly schema?: object }>
  readonly content?: Content
}

export interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Record<string, ResponseObject>
}

type PathItem = Record<string, Operation>

interface OpenApi {
  readonly paths: Record<string, PathItem>
  readonly webhooks?: Record<string, PathItem>
  readonly components: { readonly schemas: Record<string, object> }
}

const root = join(import.meta.dirname, '../../..')
const SCHEMAS = '#/components/schemas/'

/** A document. Nothing of it is prepared before it is asked for: every file of specs reads it anew. */
class Document {
  readonly #id: string
  readonly #document: OpenApi
  #added = false

  constructor(file: string) {
    const text = readFileSync(join(root, 'openapi', file), 'utf8')
    this.#id = `https://documents.test/${file}`
    this.#document = JSON.parse(text.replaceAll(`"${SCHEMAS}`, `"${this.#id}${SCHEMAS}`)) as OpenApi
  }

  get paths() {
    return Object.entries(this.#document.paths)
  }

  get webhooks() {
    return this.#document.webhooks ?? {}
  }

  /** As it is written, for what may be sent to us. */
  request(operation: Operation): Operation {
    this.#addComponents()
    return resolved(operation, this.#document) as Operation
  }

  /** With every object closed to members that it does not name, for what we send. */
  response(operation: Operation): Operation {
    return closed(this.request(operation), this.#id) as Operation
  }

  #addComponents(): void {
    if (this.#added) return
    this.#added = true
    const { schemas } = this.#document.components
    addComponents(this.#id, { schemas })
    addComponents(`${this.#id}/closed`, { schemas: closed(schemas, this.#id) })
  }
}

/** With what references within the document lead to in their place; those to schemas are absolute, and stay. */
function resolved(node: unknown, document: object): unknown {
  if (Array.isArray(node)) return node.map((one) => resolved(one, document))
  if (typeof node !== 'object' || node === null) return node
  if ('$ref' in node && typeof node.$ref === 'string' && node.$ref.startsWith('#/'))
    return resolved(at(document, node.$ref), document)
  return Object.fromEntries(Object.entries(node).map(([name, one]) => [name, resolved(one, document)]))
}

const at = (document: object, ref: string) =>
  ref
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], document)

const documents = [new Document('openapi.json'), new Document('ops.json')]

export interface Described {
  /** What may be sent. */
  readonly request: Operation
  /** What may be answered. */
  readonly response: Operation
}

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const patternOf = (template: string) =>
  new RegExp(
    `^${template
      .split(/\{[^}]+\}/)
      .map(literal)
      .join('[^/]+')}$`,
  )
const variablesIn = (template: string) => template.split('{').length

const templates = documents
  .flatMap((document) => document.paths.map(([template, item]) => ({ document, template, item })))
  .sort((one, other) => variablesIn(one.template) - variablesIn(other.template))
  .map((one) => ({ ...one, pattern: patternOf(one.template) }))

const found = new Map<Operation, Described>()

/** What is described for a request; null where nothing is, and `path` says whether the path is there for other methods. */
export function find(method: string, path: string): { described: Described | null; path: boolean } {
  const fitting = templates.filter(({ pattern }) => pattern.test(path))
  // A HEAD is answered as its GET.
  const name = method === 'HEAD' ? 'get' : method.toLowerCase()
  // A path that is spelt out is none with an ID, whatever its methods.
  const named = fitting.filter(({ template }) => !template.includes('{'))
  const one = (named.length > 0 ? named : fitting).find(({ item }) => item[name])
  const operation = one?.item[name]
  if (!one || !operation) return { described: null, path: fitting.length > 0 }
  const known = found.get(operation)
  const described = known ?? {
    request: one.document.request(operation),
    response: one.document.response(operation),
  }
  found.set(operation, described)
  return { described, path: true }
}

/** What is described for a webhook of this type. */
export function findWebhook(type: string): Operation | null {
  const document = documents.find(({ webhooks }) => type in webhooks)
  const operation = document?.webhooks[type]?.post
  return document && operation ? document.response(operation) : null
}
