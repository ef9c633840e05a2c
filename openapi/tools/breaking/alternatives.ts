/** A schema taken apart into the plain schemas, one of which a value has to fit: `anyOf`, `oneOf`, several types, null. */
import { type Document, resolved, type Schema } from './documents.ts'

export type Alternative = { readonly name: string; readonly schema: Schema }

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
  return { ...schema, type, ...(schema.enum && { enum: schema.enum.filter(isOfType(type)) }) }
}

/** What tells this alternative from others: its component's name, the one value of its `kind` or `type`, or its type. */
function nameOf(schema: Schema, reference: string | undefined): string {
  return reference?.split('/').at(-1) ?? String(schema.type ?? 'anything')
}

export function alternativesOf(schema: Schema, document: Document): Alternative[] {
  const { anyOf, oneOf, discriminator: _, ...own } = flat(schema, document)
  const parts = anyOf ?? oneOf
  if (parts)
    return parts.flatMap((part) =>
      alternativesOf(part, document).map((one) => ({ ...one, schema: together(own, one.schema) })),
    )
  if (!Array.isArray(own.type)) return [{ name: nameOf(own, schema.$ref), schema: own }]
  return own.type.map((type) => ({ name: type, schema: ofOneType(own, type) }))
}
