/** A value by a JSON Schema, by the chance given. */
import { type Schema as FakerSchema, JSONSchemaFaker } from 'json-schema-faker'
import type { Chance } from '../chaos/chance.ts'
import type { Schema } from './operations.ts'

/** Longer texts are the mutations' to bring. */
const MOST_CHARACTERS = 400
const MOST_ITEMS = 4

JSONSchemaFaker.option({
  alwaysFakeOptionals: false,
  optionalsProbability: 0.4,
  useExamplesValue: false,
  failOnInvalidTypes: false,
  failOnInvalidFormat: false,
  ignoreMissingRefs: true,
  maxItems: MOST_ITEMS,
  maxLength: MOST_CHARACTERS,
})

export function sampleOf(schema: Schema, chance: Chance): unknown {
  JSONSchemaFaker.option({ random: () => chance.next() })
  return JSONSchemaFaker.generate(schema as FakerSchema)
}
