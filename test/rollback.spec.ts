/** Deployments that roll, and roll back: Workers of the last release beside those of the sources, on the same state. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Release } from '../scripts/releases/release.ts'
import { long } from './rollback/orders.ts'
import {
  buildVersions,
  lastReleased,
  type Mixture,
  startMixedStack,
  type Versions,
} from './rollback/stack.ts'
import { begin, endsWell, type Work } from './rollback/work.ts'
import { pause } from './support/wait.ts'

/** Long enough for work to be everywhere: accepted, at a provider, between two looks at a batch, on its way to a receiver. */
const UNDER_WAY_MS = 700

/** On a machine that does much else. */
const BUILD_MS = 120_000

const release = await lastReleased()

let versions: Versions
beforeAll(async () => {
  // Wrangler would miss the secrets that only the bindings have.
  process.env.WRANGLER_LOG = 'error'
  versions = await buildVersions(release)
}, BUILD_MS)

const amid: Mixture = ['new', 'old', 'old']
const after: Mixture = ['new', 'new', 'new']

/** Tables come first, so the gateway of before is only ever met on those of now. */
function pathsOver({ directory, ledgers }: Release['shares']): [string, Mixture[]][] {
  const before: Mixture[] = directory && ledgers ? [['old', 'old', 'old']] : []
  const behind: Mixture[] = directory ? [['old', 'new', 'new']] : []
  return [
    [
      'while a deployment goes from the gateway to the others, and back again',
      [...before, amid, after, amid, ...before],
    ],
    ...behind.map((mixture): [string, Mixture[]] => ['where the gateway is behind the others', [mixture]]),
  ]
}

/** Hands in work under each mixture, which the next one takes over under way; all of it must end well. */
async function goThrough(mixtures: readonly Mixture[]): Promise<void> {
  const [first, ...others] = mixtures
  if (!first) throw new Error('A mixture to begin with.')
  const stack = await startMixedStack(versions, first)
  onTestFinished(() => stack.stop())
  const works: Work[] = [await begin(stack, long)]
  for (const mixture of others) {
    await pause(UNDER_WAY_MS)
    await stack.become(mixture)
    works.push(await begin(stack))
  }
  await Promise.all(works.map((work) => endsWell(stack, work)))
  expect(works).toHaveLength(mixtures.length)
}

describe('work ends well', { timeout: 300_000 }, () => {
  it.each(pathsOver(release.shares))('%s', async (_, mixtures) => {
    await goThrough(mixtures)
  })
})
