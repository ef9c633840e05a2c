import { describe, expect, it } from 'vitest'
import { fitting } from './deployment.fixture.ts'
import { planOf } from './plan.ts'
import { runPlan } from './run-plan.ts'
import { type StandIn, wranglerStandIn } from './stand-in.fixture.ts'
import { wranglerFromPath } from './wrangler.ts'

const named = (...names: string[]) => JSON.stringify(names.map((name) => ({ name, type: 'secret_text' })))
const secrets = [
  { to: 'secret list --format json -c gateway.toml', out: named('SIGNING_KEYS', 'KEY_ENCRYPTION_KEYS') },
  { to: 'secret list --format json -c callbacks.toml', out: named('KEY_ENCRYPTION_KEYS') },
]
const missing = [
  { to: 'queues info', code: 1, complaint: 'Queue not found' },
  { to: 'r2 bucket info', code: 1 },
  { to: 'd1 info', code: 1 },
]

async function deploy(): Promise<string[]> {
  const told: string[] = []
  await runPlan('production', planOf(fitting, '1'), wranglerFromPath(), (line) => told.push(line.trim()))
  return told
}

const changes = (standIn: StandIn) =>
  standIn
    .calls()
    .filter((call) => !/^whoami|^secret list|info /.test(call))
    .map((call) => call.split(' -')[0])

describe('a deployment', () => {
  it('into an empty account makes everything', async () => {
    const standIn = wranglerStandIn([...secrets, ...missing])

    await deploy()

    expect(changes(standIn)).toEqual([
      'queues create jobs',
      'queues create callbacks',
      'queues create jobs-dlq',
      'queues create callbacks-dlq',
      'r2 bucket create content',
      'r2 bucket lifecycle set content',
      'd1 create directory',
      'd1 migrations apply DIRECTORY',
      'deploy',
      'deploy',
      'deploy',
    ])
  })

  it('again leaves what is there, and brings rules, tables and Workers up to date', async () => {
    const standIn = wranglerStandIn(secrets)

    const told = await deploy()

    expect(changes(standIn)).toEqual([
      'r2 bucket lifecycle set content',
      'd1 migrations apply DIRECTORY',
      'deploy',
      'deploy',
      'deploy',
    ])
    expect(told).toContain('is there   the queue jobs')
  })

  it.each([
    ['the account cannot be reached', 'whoami', 0],
    ['a queue cannot be made', 'queues create callbacks ', 2],
    ['a table cannot be changed', 'd1 migrations', 8],
    ['a Worker is refused', 'deploy -c consumers.toml', 10],
  ])('stops where %s, and says why', async (_, to, made) => {
    const failing = { to, code: 1, complaint: 'Authentication error [code: 10000]' }
    const standIn = wranglerStandIn([failing, ...secrets, ...missing])

    await expect(deploy()).rejects.toThrow(/Stopped at [\s\S]*Authentication error/)

    expect(changes(standIn)).toHaveLength(made)
  })

  it('does not take a failure for a thing that is not there', async () => {
    const down = ['queues info', 'queues create'].map((to) => ({ to, code: 1, complaint: 'fetch failed' }))
    wranglerStandIn([...secrets, ...down])

    await expect(deploy()).rejects.toThrow('fetch failed')
  })
})

describe('a deployment without its secrets', () => {
  it('changes nothing, and names all of them with what sets them', async () => {
    const absent = {
      to: 'secret list',
      code: 1,
      complaint: 'Worker "my-gateway" (env: production) not found.',
    }
    const standIn = wranglerStandIn([absent])

    const refusal = await deploy().catch((error: Error) => error.message)

    expect(changes(standIn)).toEqual([])
    expect(refusal).toContain('wrangler secret put SIGNING_KEYS -c gateway.toml --env production')
    expect(refusal).toContain('wrangler secret put KEY_ENCRYPTION_KEYS -c gateway.toml --env production')
    expect(refusal).toContain('wrangler secret put KEY_ENCRYPTION_KEYS -c callbacks.toml --env production')
    expect(refusal).toContain('npm run -s setup -- --env production')
  })

  it('names the one that one Worker lacks', async () => {
    const standIn = wranglerStandIn([
      { to: 'secret list --format json -c callbacks.toml', out: '[]' },
      ...secrets,
    ])

    await expect(deploy()).rejects.toThrow(/^Secrets are missing[\s\S]*KEY_ENCRYPTION_KEYS -c callbacks.toml/)
    expect(changes(standIn)).toEqual([])
  })

  it('does not take a failure for a Worker without secrets', async () => {
    wranglerStandIn([{ to: 'secret list', code: 1, complaint: 'fetch failed' }])

    await expect(deploy()).rejects.toThrow(/Stopped at the secrets of my-gateway[\s\S]*fetch failed/)
  })
})
