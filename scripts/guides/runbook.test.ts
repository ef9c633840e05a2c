import { expect, it } from 'vitest'
import { nothing } from '../../gateway/metrics/families.fixture.ts'
import { families } from '../../gateway/metrics/families.ts'
import { markdownOf } from './pages.ts'

const scraped = families(nothing, 0)

it('the runbook tells whoever is on call to watch metrics that there are', () => {
  const names = scraped.map(({ name, type }) => (type === 'counter' ? `${name}_total` : name))
  const [, table] = /\n(\| figure .*\n(?:\|.*\n)*)/.exec(markdownOf('docs/runbook.md')) ?? []
  const watched = Array.from((table ?? '').matchAll(/`(\w+)`/g), ([, name]) => `gateway_${name}`)

  expect(watched.length).toBeGreaterThan(5)
  expect(watched.filter((name) => !names.includes(name))).toEqual([])
})
