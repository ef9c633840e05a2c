/** `npm run site`: makes the pages of the guides anew. */
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { siteFiles, siteFolder } from './guides/pages.ts'

const files = siteFiles()
const stale = (await readdir(siteFolder)).filter((name) => !files.has(name))

for (const name of stale) await rm(join(siteFolder, name))
for (const [name, text] of files) await writeFile(join(siteFolder, name), text)
