/** `npm run openapi`: writes the generated documents; with `--check`, fails when the committed ones have drifted. */
import { readFile, writeFile } from 'node:fs/promises'
import { documents } from '../gateway/app.ts'
import { EXAMPLE_BASE_URL } from '../openapi/examples/example.ts'

const files = { tenants: 'openapi/openapi.json', operators: 'openapi/ops.json' } as const

for (const [audience, file] of Object.entries(files)) {
  const text = `${JSON.stringify(documents[audience as keyof typeof files](EXAMPLE_BASE_URL), null, 2)}\n`
  if (!process.argv.includes('--check')) await writeFile(file, text)
  else if ((await readFile(file, 'utf8')) !== text) {
    console.error(`${file} is not what the code describes: run npm run openapi.`)
    process.exitCode = 1
  }
}
