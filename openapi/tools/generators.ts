/** Five generators make a client out of each document, and TypeScript compiles all of them together with code that uses them. */
import { mkdir, rm } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { everyDocument, folder, pathOf } from './documents.ts'
import { type Check, type Finding, tail } from './findings.ts'
import { type Printed, runTool, tools } from './run-tool.ts'

const generated = join(tools, 'generated')

/** The commands; `customers/` expects what they make under these names. */
const generators: Record<string, (document: string, into: string) => readonly string[]> = {
  'openapi-typescript': (document, into) => [
    'openapi-typescript',
    document,
    // Otherwise what has a default would have to be sent.
    '--default-non-nullable=false',
    `--output=${join(into, 'openapi-typescript.ts')}`,
  ],
  '@hey-api/openapi-ts': (document, into) => [
    'openapi-ts',
    `--input=${document}`,
    `--output=${join(into, 'hey-api')}`,
    '--client=@hey-api/client-fetch',
    '--no-log-file',
  ],
  orval: (document, into) => [
    'orval',
    `--input=${document}`,
    `--output=${join(into, 'orval.ts')}`,
    '--client=fetch',
  ],
  oazapfts: (document, into) => ['oazapfts', document, join(into, 'oazapfts.ts')],
  'swagger-typescript-api': (document, into) => [
    'swagger-typescript-api',
    'generate',
    `--path=${document}`,
    `--output=${into}`,
    '--name=swagger-typescript-api.ts',
  ],
}

const preload = { NODE_OPTIONS: `--import=${pathToFileURL(join(tools, 'older-typescript.mjs'))}` }

async function generate(tool: string, file: string): Promise<readonly Finding[]> {
  const into = join(generated, basename(file, '.json'))
  await mkdir(into, { recursive: true })
  const command = generators[tool]?.(pathOf(file), into) ?? []
  const { code, stdout, stderr } = await runTool(command, preload)
  return code === 0 ? [] : [{ file, place: '', tool, message: tail(stdout + stderr) }]
}

export const emptyGenerated = (): Promise<void> => rm(generated, { recursive: true, force: true })

export const generating: readonly Check[] = everyDocument.flatMap((file) =>
  Object.keys(generators).map((tool) => ({
    name: `${file}: ${tool} generates`,
    run: () => generate(tool, file),
  })),
)

const complaint = /^(?<file>.+?)\((?<place>[\d,]+)\): error (?<code>TS\d+): (?<message>.*)$/gm

function complaintsIn({ code, stdout, stderr }: Printed): Finding[] {
  if (code === 0) return []
  const found = Array.from(stdout.matchAll(complaint), ({ groups = {} }) => ({
    file: relative(folder, join(tools, groups.file ?? '')),
    place: groups.place ?? '',
    tool: `tsc --strict ${groups.code}`,
    message: groups.message ?? '',
  }))
  const otherwise = { file: 'tools', place: '', tool: 'tsc --strict', message: tail(stdout + stderr) }
  return found.length > 0 ? found : [otherwise]
}

export const compiling: Check = {
  name: 'all that was generated, and customers that use it: tsc --strict',
  run: async () =>
    complaintsIn(await runTool(['tsc', '--project', 'tsconfig.generated.json', '--pretty', 'false'])),
}
