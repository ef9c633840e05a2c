import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { RunError } from './claims.ts'
import { openStateDir } from './state-dir.ts'

describe('the folder of a run', () => {
  it.each(['', 'below'])('that is a file, or lies below one, is refused by its path', (below) => {
    const directory = mkdtempSync(join(tmpdir(), 'state-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const file = join(directory, 'file')
    writeFileSync(file, '')

    expect(() => openStateDir(join(file, below))).toThrow(RunError)
    expect(() => openStateDir(join(file, below))).toThrow(file)
  })
})
