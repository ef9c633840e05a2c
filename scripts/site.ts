/** `npm run site`: makes the pages of the guides anew. */
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { siteFiles, siteFolder } from './guides/pages.ts'

for (const name of await readdir(siteFolder)) await rm(join(siteFolder, name))
for (const [name, text] of siteFiles()) await writeFile(join(siteFolder, name), text)
