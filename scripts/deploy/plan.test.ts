import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../support/workers.ts'
import { fitting } from './deployment.fixture.ts'
import { readDeployment } from './deployment.ts'
import { bundleCalls, LIFECYCLE, planOf, type Step, written } from './plan.ts'

const callOf = (step: Step) => written(step.kind === 'make' ? step.make : step.call)
const plan = planOf(fitting, '1.2.3 abc')

describe('a plan', () => {
  it('looks first, then makes what Workers need, then deploys them, the host of the ledgers first', () => {
    const where = '-c gateway.toml --env production'

    expect(plan.map(callOf)).toEqual([
      'wrangler whoami --json',
      `wrangler secret list --format json ${where}`,
      'wrangler secret list --format json -c callbacks.toml --env production',
      ...['jobs', 'callbacks', 'jobs-dlq', 'callbacks-dlq'].map(
        (name) => `wrangler queues create ${name} ${where}`,
      ),
      `wrangler r2 bucket create content --update-config=false ${where}`,
      `wrangler r2 bucket lifecycle set content --file ${LIFECYCLE} --force ${where}`,
      `wrangler d1 create directory --update-config=false ${where}`,
      `wrangler d1 migrations apply DIRECTORY --remote ${where}`,
      `wrangler deploy ${where} --message '1.2.3 abc'`,
      "wrangler deploy -c consumers.toml --env production --message '1.2.3 abc'",
      "wrangler deploy -c callbacks.toml --env production --message '1.2.3 abc'",
    ])
  })

  it('changes nothing before all secrets have been looked at', () => {
    const kinds = plan.map(({ kind }) => kind)

    expect(kinds.lastIndexOf('secrets')).toBeLessThan(kinds.indexOf('make'))
  })

  it('of production makes each queue once, with a dead-letter queue for each', () => {
    const made = planOf(readDeployment('production'), '').flatMap((step) =>
      step.kind === 'make' && step.make[0] === 'queues' ? [step.make[2] ?? ''] : [],
    )
    const plain = made.filter((name) => !name.endsWith('-dlq'))

    expect(new Set(made).size).toBe(made.length)
    expect(made.toSorted()).toEqual([...plain, ...plain.map((name) => `${name}-dlq`)].toSorted())
  })
})

describe('the rules of the bucket', () => {
  const { rules } = JSON.parse(readFileSync(join(projectRoot, LIFECYCLE), 'utf8')) as {
    rules: { conditions: { prefix: string }; deleteObjectsTransition?: object }[]
  }

  it('let nothing expire by its age that a ledger may still name', () => {
    const expiring = rules.filter((rule) => rule.deleteObjectsTransition)

    for (const { conditions } of expiring) {
      expect(conditions.prefix).not.toBe('')
      expect('t/'.startsWith(conditions.prefix) || conditions.prefix.startsWith('t/')).toBe(false)
    }
  })
})

describe('a bundle', () => {
  it('goes to a folder of its own for each Worker and environment', () => {
    const calls = ['', 'production'].flatMap((name) =>
      bundleCalls(name, ['wrangler.toml', 'a/wrangler.toml'], '/o'),
    )

    expect(calls.map((call) => call[3])).toEqual([
      '/o/local/gateway',
      '/o/local/a',
      '/o/production/gateway',
      '/o/production/a',
    ])
  })
})
