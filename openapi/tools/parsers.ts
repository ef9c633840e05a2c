/** Two parsers by different authors read each document. */
import SwaggerParser from '@apidevtools/swagger-parser'
import { Validator } from '@seriousme/openapi-schema-validator'
import { everyDocument, pathOf, read } from './documents.ts'
import type { Check } from './findings.ts'

type Fault = { readonly instancePath?: string; readonly message?: string }

const placed = (faults: readonly Fault[]) =>
  faults.map(({ instancePath = '', message = 'not valid' }) => ({ place: instancePath, message }))

async function swaggerParser(file: string) {
  try {
    await SwaggerParser.validate(pathOf(file))
    return []
  } catch (error) {
    const { details, message } = error as Error & { details?: readonly Fault[] }
    return details?.length ? placed(details) : [{ place: '', message }]
  }
}

async function schemaValidator(file: string) {
  const { valid, errors = [] } = await new Validator().validate(await read(file))
  return valid ? [] : placed(typeof errors === 'string' ? [{ message: errors }] : errors)
}

const parsers = {
  '@apidevtools/swagger-parser': swaggerParser,
  '@seriousme/openapi-schema-validator': schemaValidator,
}

export const parsing: readonly Check[] = everyDocument.flatMap((file) =>
  Object.entries(parsers).map(([tool, parse]) => ({
    name: `${file}: ${tool}`,
    run: async () => (await parse(file)).map((found) => ({ ...found, file, tool })),
  })),
)
