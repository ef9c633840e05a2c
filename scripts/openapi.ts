/**
 * `npm run openapi`: writes the generated documents, each also as OpenAPI 3.0; with `--check`, fails when the committed ones have drifted; with
 * `--release`, also keeps them as those of the release that the version names.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { documents } from '../gateway/documents/index.ts'
import { EXAMPLE_BASE_URL } from '../openapi/examples/example.ts'
import { toOpenApi30 } from '../openapi/tools/down-convert.ts'

const tenants = documents.tenants(EXAMPLE_BASE_URL)
const operators = documents.operators(EXAMPLE_BASE_URL)
const { version } = tenants.info

const written = {
  'openapi/openapi.json': tenants,
  'openapi/openapi-3.0.json': toOpenApi30(tenants),
  'openapi/ops.json': operators,
  'openapi/ops-3.0.json': toOpenApi30(operators),
}
const released = {
  [`openapi/releases/${version}.json`]: tenants,
  [`openapi/releases/${version}.ops.json`]: operators,
}

const checks = process.argv.includes('--check')
const files = process.argv.includes('--release') ? { ...written, ...released } : written

for (const [file, document] of Object.entries(files)) {
  const text = `${JSON.stringify(document, null, 2)}\n`
  if (!checks) await writeFile(file, text)
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error(`${file} is not what the code describes: run npm run openapi.`)
    process.exitCode = 1
  }
}
