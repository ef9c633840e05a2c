/** What the rows of the largest ledger take on disk, without pages that are free for the next ones. */
import { readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Workerd } from '../support/workerd.ts'

/** In bytes. The runtime may have the file open. */
export async function stored({ workerd }: { readonly workerd: Workerd }): Promise<number> {
  const file = await largestLedger(workerd.stateDir)
  const copy = join(tmpdir(), `stored-${process.pid}-${Date.now()}.sqlite`)
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    database.prepare('vacuum into ?').run(copy)
    return (await stat(copy)).size
  } finally {
    database.close()
    await rm(copy, { force: true })
  }
}

async function largestLedger(stateDir: string): Promise<string> {
  const all = await readdir(stateDir, { recursive: true })
  const files = all
    .filter((name) => /TenantLedger\/[^/]+\.sqlite$/.test(name))
    .map((name) => join(stateDir, name))
  const sizes = await Promise.all(files.map(async (file) => ({ file, bytes: await wholeSize(file) })))
  const [largest] = sizes.sort((a, b) => b.bytes - a.bytes)
  if (!largest) throw new Error('There is no ledger on disk.')
  return largest.file
}

/** What was written last lies beside the file. */
async function wholeSize(file: string): Promise<number> {
  const sizes = await Promise.all(
    [file, `${file}-wal`].map((name) =>
      stat(name).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
