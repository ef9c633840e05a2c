/** Holds the documents against those of the last release, which lie in `releases/`. */
import { readdir, readFile } from 'node:fs/promises'
import type { Document } from './breaking/documents.ts'
import { compareVersions, complaintsAbout } from './breaking/release-rules.ts'
import { pathOf, read } from './documents.ts'
import type { Check, Finding } from './findings.ts'

/** How the file of a release is called after its version. */
const endings = { 'openapi.json': '.json', 'ops.json': '.ops.json' } as const

async function lastRelease(ending: string): Promise<string | undefined> {
  const pattern = new RegExp(`^(\\d+\\.\\d+\\.\\d+)${ending.replaceAll('.', '\\.')}$`)
  const versions = (await readdir(pathOf('releases'))).flatMap((name) => pattern.exec(name)?.[1] ?? [])
  return versions.sort(compareVersions).at(-1)
}

async function findingsSince(file: keyof typeof endings): Promise<readonly Finding[]> {
  const tool = 'breaking changes'
  const version = await lastRelease(endings[file])
  if (!version) return [{ file: 'releases', place: '', tool, message: `holds no release of ${file}` }]
  const complaints = complaintsAbout({
    file,
    released: await read<Document>(`releases/${version}${endings[file]}`),
    document: await read<Document>(file),
    changelog: await readFile(pathOf('CHANGES.md'), 'utf8'),
  })
  return complaints.map((complaint) => ({ ...complaint, tool: `since ${version}` }))
}

export const releasing: readonly Check[] = (['openapi.json', 'ops.json'] as const).map((file) => ({
  name: `${file}: nothing breaks, and changes are told of, since the last release`,
  run: () => findingsSince(file),
}))
