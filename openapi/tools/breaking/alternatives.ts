/** A schema taken apart into the plain schemas, one of which a value has to fit: `anyOf`, `oneOf`, several types, null. */
import { type Document, resolved, type Schema } from './documents.ts'

export type Alternative = {
  /** Its component's, or its type. */
  readonly name: string
  readonly component?: string
  readonly schema: Schema
}

function together(first: Schema, second: Schema): Schema {
  return {
    ...first,
    ...second,
    properties: { ...first.properties, ...second.properties },
    required: [...new Set([...(first.required ?? []), ...(second.required ?? [])])],
  }
}

/** With what its `$ref` and its `allOf` say in the schema itself. */
function flat(schema: Schema, document: Document): Schema {
  const { allOf = [], ...own } = resolved(schema, document)
  return allOf.length === 0 ? own : [...allOf.map((part) => flat(part, document)), own].reduce(together)
}

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

const isOfType = (type: string) => (value: unknown) =>
  typeOf(value) === type || (typeOf(value) === 'number' && type === 'integer')

function ofOneType(schema: Schema, type: string): Schema {
  if (type === 'null') return { type }
  return { ...schema, type, ...(schema.enum && { enum: schema.enum.filter(isOfType(type)) }) }
}

/** The component that a schema is, with or without words of its own about it. */
const componentOf = ({ $ref, allOf = [] }: Schema) =>
  ($ref ?? (allOf.length === 1 ? allOf[0]?.$ref : undefined))?.split('/').at(-1)

function single(schema: Schema, component: string | undefined): Alternative {
  return { name: component ?? String(schema.type ?? 'anything'), schema, ...(component && { component }) }
}

export function alternativesOf(schema: Schema, document: Document): Alternative[] {
  const { anyOf, oneOf, discriminator: _, ...own } = flat(schema, document)
  const parts = anyOf ?? oneOf
  if (parts)
    return parts.flatMap((part) =>
      alternativesOf(part, document).map((one) => ({ ...one, schema: together(own, one.schema) })),
    )
  if (!Array.isArray(own.type)) return [single(own, componentOf(schema))]
  return own.type.map((type) => ({ name: type, schema: ofOneType(own, type) }))
}
