import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readWorkerConfig } from './worker-config.ts'
import { projectRoot } from './workers.ts'

/** The path of a configuration with this text, from the project's root. */
function written(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'config-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, 'wrangler.toml'), text)
  return relative(projectRoot, join(directory, 'wrangler.toml'))
}

const start = 'name = "x"\nmain = "x.ts"\ncompatibility_date = "2026-11-01"\n'

describe('a configuration', () => {
  it.each([
    ['is no TOML', '[vars\n', /wrangler\.toml:4: Invalid TOML document/],
    [
      'lacks the environment',
      '[env.staging]\n',
      /wrangler\.toml: .*\n.*No environment found .* "production"/,
    ],
    ['has a number for a text', '[env.production.vars]\nRUN = 5\n', /production:\n.*\n.*at vars\.RUN/],
  ])('that %s is refused by its path, with what is wrong', (_, text, why) => {
    const path = written(start + text)

    expect(() => readWorkerConfig(path, 'production')).toThrow(why)
    expect(() => readWorkerConfig(path, 'production')).toThrow(path)
  })
})
