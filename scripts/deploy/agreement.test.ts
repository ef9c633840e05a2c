import { describe, expect, it } from 'vitest'
import { clashesBetween, complaintsAbout, stillToSet } from './agreement.ts'
import { fitting, spoilt, withVars } from './deployment.fixture.ts'
import { type Deployment, environmentNames, readDeployment } from './deployment.ts'
import { complaintsAboutSettings } from './settings.ts'

describe('the Workers of a deployment', () => {
  it('fit together', () => {
    expect(complaintsAbout(fitting)).toEqual([])
  })

  it.each<[string, Deployment]>([
    ['RUN_TIMEOUT_SECONDS is not the same', withVars('consumers', { RUN_TIMEOUT_SECONDS: '60' })],
    ['PUBLIC_BASE_URL is not the same', withVars('callbacks', { PUBLIC_BASE_URL: 'https://b.test' })],
    ['OWN_HOSTS is not the same', withVars('gateway', { OWN_HOSTS: 'ours.test' })],
    ['binds the ledgers of another Worker', spoilt('callbacks', { objectsOf: ['my-old-gateway'] })],
    ['queue jobs-slow has 0 consumers', spoilt('gateway', { produces: ['jobs', 'callbacks', 'jobs-slow'] })],
    ['queue callbacks has 0 consumers', spoilt('callbacks', { consumes: [] })],
    ['Nothing goes to the queue jobs', spoilt('gateway', { produces: ['callbacks'] })],
    [
      'What the queue callbacks gives up is lost',
      spoilt('callbacks', { consumes: [{ queue: 'callbacks', deadLetters: null }] }),
    ],
    [
      'queue callbacks-lost has 0 consumers',
      spoilt('callbacks', { consumes: [{ queue: 'callbacks', deadLetters: 'callbacks-lost' }] }),
    ],
    ['share one database, not 2', spoilt('callbacks', { databases: ['another'] })],
    ['share one bucket, not 2', spoilt('consumers', { buckets: ['another'] })],
    ['names workers-ai', withVars('gateway', { PROVIDERS: 'embedded,workers-ai' })],
    ['no OPENAI_BASE_URL', withVars('gateway', { PROVIDERS: 'openai' })],
  ])('are refused where %s', (fault, deployment) => {
    expect(complaintsAbout(deployment).join('\n')).toContain(fault)
  })

  it('need a name of their own before they are deployed', () => {
    const placeholder = { PUBLIC_BASE_URL: 'https://api.example.com' }

    expect(stillToSet(fitting)).toEqual([])
    expect(stillToSet(withVars('gateway', placeholder))).toEqual([
      'PUBLIC_BASE_URL is still https://api.example.com: set it in gateway.toml and callbacks.toml.',
    ])
  })
})

describe('two deployments of one account', () => {
  it('share nothing that would let one work on the jobs of the other', () => {
    const staging = { ...spoilt('callbacks', { name: 'staging-callbacks' }), environment: 'staging' }

    const clashes = clashesBetween(fitting, staging)

    expect(clashes).toContain('production and staging share the Worker my-gateway.')
    expect(clashes).toContain('production and staging share the queue jobs-dlq.')
    expect(clashes).toContain('production and staging share the database directory.')
    expect(clashes).toContain('production and staging share the bucket content.')
    expect(clashes).toContain('production and staging share the Workflow batches.')
    expect(clashes).toContain('production and staging share the dataset figures.')
    expect(clashes).toContain('production and staging share the rate limiter 1001.')
    expect(clashes).not.toContain('production and staging share the Worker staging-callbacks.')
  })
})

describe('what the configurations say', () => {
  const deployments = environmentNames().map(readDeployment)

  it('has production', () => {
    expect(environmentNames()).toContain('production')
  })

  it.each(deployments)('fits together in $environment', async (deployment) => {
    expect(complaintsAbout(deployment)).toEqual([])
    expect(await complaintsAboutSettings(deployment)).toEqual([])
  })

  it('would be refused where a Worker would not start by it', async () => {
    const [production] = deployments
    if (!production) throw new Error('There is no deployment.')
    const workers = production.workers.map((one) => ({ ...one, vars: { ...one.vars, DNS_RESOLVER_URL: '' } }))

    expect(await complaintsAboutSettings({ ...production, workers })).toEqual([
      'wrangler.toml: These variables or secrets are missing or wrong: DNS_RESOLVER_URL.',
      'callbacks/wrangler.toml: These variables or secrets are missing or wrong: DNS_RESOLVER_URL.',
    ])
  })

  it('would be refused where thresholds of alerts are none, since no check would run', async () => {
    const [production] = deployments
    if (!production) throw new Error('There is no deployment.')
    const ALERT_THRESHOLDS = '{"stalled":5}'
    const workers = production.workers.map((one) =>
      one.role === 'consumers' ? { ...one, vars: { ...one.vars, ALERT_THRESHOLDS } } : one,
    )

    expect(await complaintsAboutSettings({ ...production, workers })).toEqual([
      'consumers/wrangler.toml: These variables or secrets are missing or wrong: ALERT_THRESHOLDS.',
    ])
  })
})
