import type { TestProject } from 'vitest/node'
import { type StackInfo, startStack } from './stack.ts'

declare module 'vitest' {
  interface ProvidedContext {
    stack: StackInfo
  }
}

export default async function setup(project: TestProject) {
  const { info, close } = await startStack()
  project.provide('stack', info)
  return close
}
