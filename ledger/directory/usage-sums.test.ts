import { beforeEach, describe, expect, it } from 'vitest'
import type { UsageGroupingOfAll } from '../../openapi/operator-usage.ts'
import type { DayUsage } from '../figures.ts'
import { memoryDirectory } from './directory.fixture.ts'
import { type Directory, openDirectory } from './open.ts'
import { usageDays } from './schema.ts'
import { usageOver } from './usage-sums.ts'

let directory: Directory
beforeEach(() => {
  directory = openDirectory(memoryDirectory().database)
})

const used = (more: Partial<DayUsage> = {}): DayUsage => ({
  kind: 'summarize',
  model: 'embedded/extract-1',
  jobs: 1,
  items: 2,
  succeeded: 2,
  failed: 1,
  input_tokens: 10,
  output_tokens: 5,
  cost_micro_usd: 7,
  ...more,
})

const told = (tenantId: string, day: number, figures: DayUsage[], generation = 1) =>
  directory
    .insert(usageDays)
    .values({ ledger: `${tenantId}:${generation}:0`, tenantId, day, revision: 1, figures })

const november = { from: 20261101, to: 20261130 }
const figures = {
  jobs: 1,
  items: 2,
  succeeded: 2,
  failed: 1,
  inputTokens: 10,
  outputTokens: 5,
  costMicroUsd: 7,
}
const times = (n: number) =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, n * value]))

describe('usage over tenants', () => {
  beforeEach(async () => {
    await told('acme', 20261129, [used(), used({ kind: 'embed', model: 'embedded/hash-1' })])
    await told('acme', 20261130, [used()])
    await told('acme', 20261130, [used()], 2)
    await told('globex', 20261130, [used({ model: 'test/priced' })])
    await told('globex', 20261031, [used()])
  })

  it.each<[UsageGroupingOfAll, ...[string | number, number][]]>([
    ['day', [20261129, 2], [20261130, 3]],
    ['kind', ['embed', 1], ['summarize', 4]],
    ['model', ['embedded/extract-1', 3], ['embedded/hash-1', 1], ['test/priced', 1]],
    ['tenant', ['acme', 4], ['globex', 1]],
  ])('adds up by %s, in their order', async (grouping, ...groups) => {
    expect(await usageOver(directory, grouping, november, undefined)).toEqual(
      groups.map(([group, n]) => ({ group, ...times(n) })),
    )
  })

  it('is of one tenant where it is asked for', async () => {
    expect(await usageOver(directory, 'model', november, 'globex')).toEqual([
      { group: 'test/priced', ...times(1) },
    ])
    expect(await usageOver(directory, 'day', november, 'nobody')).toEqual([])
  })

  it('has both ends of its range, and nothing beyond', async () => {
    const range = { from: 20261031, to: 20261129 }

    expect((await usageOver(directory, 'day', range, undefined)).map(({ group }) => group)).toEqual([
      20261031, 20261129,
    ])
  })
})
