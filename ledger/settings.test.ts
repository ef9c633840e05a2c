import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SETTINGS } from './settings.fixture.ts'
import { ledgerSettings } from './settings.ts'

const withTimes = (BATCH_GRACE_SECONDS: string, RUN_TIMEOUT_SECONDS: string) =>
  ledgerSettings({ ...SETTINGS, BATCH_GRACE_SECONDS, RUN_TIMEOUT_SECONDS })

describe('the grace of a Workflow', () => {
  it.each([
    ['20', '14'],
    ['300', '120'],
  ])('of %s s outlives a call of a provider that may take %s s', (grace, timeout) => {
    expect(withTimes(grace, timeout).batchGraceMs).toBe(Number(grace) * 1000)
  })

  it.each([
    ['20', '15'],
    ['10', '10'],
    ['5', '120'],
  ])('of %s s is wrong where such a call may take %s s', (grace, timeout) => {
    expect(() => withTimes(grace, timeout)).toThrow('BATCH_GRACE_SECONDS')
  })

  it('is held against the time that the consumers have, locally and in production', () => {
    const timesIn = (file: string) => readFileSync(file, 'utf8').match(/^RUN_TIMEOUT_SECONDS = .*$/gm)

    expect(timesIn('wrangler.toml')).toHaveLength(2)
    expect(timesIn('wrangler.toml')).toEqual(timesIn('consumers/wrangler.toml'))
  })
})
