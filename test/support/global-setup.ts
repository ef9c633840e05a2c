import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { quickFolder } from './quick-folder.ts'
import type { StackInfo } from './stack.ts'

declare module 'vitest' {
  interface ProvidedContext {
    stack: StackInfo
  }
}

/** Read as soon as what runs the Workers is loaded. */
process.env.NODE_EXTRA_CA_CERTS = join(import.meta.dirname, 'certificates/ca.pem')

export default async function setup(project: TestProject) {
  const folder = quickFolder()
  if (folder) process.env.TMPDIR = folder
  // One line for each queue batch would bury what the specs have to say; the Workers' own lines are kept by the harness.
  process.env.WRANGLER_LOG ??= 'warn'
  await import('./own-network.ts')
  const { startStack } = await import('./stack.ts')
  const { info, close } = await startStack()
  project.provide('stack', info)
  return close
}
