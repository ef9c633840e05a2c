/** JSON Schema 2020-12 by a validator that has nothing in common with what the gateway parses by. Compiled when first asked for. */

import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const FAULTS_SHOWN = 8

const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false, allErrors: true })
addFormats(ajv)

/** Schemas that others refer to by `id` and a pointer. */
export function addComponents(id: string, components: object): void {
  ajv.addSchema({ $id: id, components })
}

/** What is wrong with the value, by place; empty when it fits. */
export function misfits(schema: object, value: unknown): string[] {
  const validate = ajv.compile(schema)
  return validate(value) ? [] : (validate.errors ?? []).slice(0, FAULTS_SHOWN).map(worded)
}

const worded = ({ instancePath, message, params }: ErrorObject) =>
  `${instancePath || '/'} ${message} ${JSON.stringify(params)}`

/** The same for a value that came as text, as those of headers and queries do: numbers are read as such where one is wanted. */
export function textMisfits(schema: object, text: string): string[] {
  const wanted = 'type' in schema ? [schema.type].flat() : []
  const isNumber = wanted.includes('integer') || wanted.includes('number')
  return misfits(schema, isNumber && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text)
}

/** The schema that an absolute reference leads to. */
export const schemaAt = (ref: string): object => ajv.getSchema(ref)?.schema as object
