import type { TestProject } from 'vitest/node'
import { type StackInfo, startStack } from './stack.ts'

declare module 'vitest' {
  interface ProvidedContext {
    stack: StackInfo
  }
}

export default async function setup(project: TestProject) {
  // One line for each queue batch would bury what the specs have to say; the Workers' own lines are kept by the harness.
  process.env.WRANGLER_LOG ??= 'warn'
  const { info, close } = await startStack()
  project.provide('stack', info)
  return close
}
