/** Deployments that roll, and roll back: Workers of the last release beside those of the sources, on the same state. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { long } from './rollback/orders.ts'
import { buildVersions, type Mixture, startMixedStack, type Versions } from './rollback/stack.ts'
import { begin, endsWell, type Work } from './rollback/work.ts'
import { pause } from './support/wait.ts'

/** Long enough for work to be everywhere: accepted, at a provider, between two looks at a batch, on its way to a receiver. */
const UNDER_WAY_MS = 700

/** On a machine that does much else. */
const BUILD_MS = 120_000

let versions: Versions
beforeAll(async () => {
  // Wrangler would miss the secrets that only the bindings have.
  process.env.WRANGLER_LOG = 'error'
  versions = await buildVersions()
}, BUILD_MS)

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

describe('work', () => {
  it('ends well while a deployment goes from the gateway to the others, and back again', async () => {
    const before: Mixture[] = versions.shareLedgers ? [['old', 'old', 'old']] : []
    const amid: Mixture = ['new', 'old', 'old']

    await goThrough([...before, amid, ['new', 'new', 'new'], amid, ...before])
  })

  it('ends well where the gateway is behind the others', async () => {
    await goThrough([['old', 'new', 'new']])
  })
})
