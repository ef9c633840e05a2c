/** As much of an OpenAPI document as the comparison with the last release looks at. */
export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly format?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly contentSchema?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly [keyword: string]: unknown
}

type Reference = { readonly $ref?: string }
type Contents = Readonly<Record<string, { readonly schema?: Schema }>>
export type Header = Reference & {
  readonly required?: boolean
  readonly explode?: boolean
  readonly schema?: Schema
}
export type Parameter = Header & { readonly name: string; readonly in: string }
export type Body = Reference & { readonly required?: boolean; readonly content?: Contents }
export type Response = Body & { readonly headers?: Readonly<Record<string, Header>> }
export type Security = readonly Readonly<Record<string, readonly string[]>>[]

export type Operation = {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Body
  readonly responses?: Readonly<Record<string, Response>>
  readonly security?: Security
}

type Flow = { readonly tokenUrl?: string; readonly scopes?: Readonly<Record<string, string>> }
type Methods = Readonly<Record<string, Operation>>

export type Document = {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Methods>>
  readonly webhooks?: Readonly<Record<string, Methods>>
  readonly security?: Security
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>
    readonly securitySchemes?: Readonly<Record<string, { readonly flows?: Readonly<Record<string, Flow>> }>>
  }
}

/** What is wrong for someone who goes by the release before, and where. */
export type Change = { readonly place: string; readonly message: string }

/** What a `$ref` stands for, with what stands beside it. */
export function resolved<T extends Reference>(value: T, document: Document): T {
  if (!value.$ref) return value
  const { $ref, ...beside } = value
  const parts = $ref.split('/').slice(1)
  const target = parts.reduce<unknown>((node, part) => (node as Record<string, unknown>)?.[part], document)
  return { ...resolved((target ?? {}) as T, document), ...beside }
}
