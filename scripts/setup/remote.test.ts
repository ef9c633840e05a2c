import { describe, expect, it } from 'vitest'
import { fitting } from '../deploy/deployment.fixture.ts'
import { wranglerStandIn } from '../deploy/stand-in.fixture.ts'
import { wranglerFromPath } from '../deploy/wrangler.ts'
import { mintOperator } from '../support/operator.ts'
import { localSecrets } from '../support/secrets.ts'
import { callsOf, setUpRemote } from './remote.ts'

const names = (...all: string[]) => JSON.stringify(all.map((name) => ({ name })))
const operators = (count: number) => ({
  to: 'd1 execute DIRECTORY --remote --json',
  out: JSON.stringify([{ results: [{ operators: count }], success: true }]),
})
const noWorkers = { to: 'secret list', code: 1, complaint: 'Worker "my-gateway" not found.' }
const gatewaysKeys = {
  to: 'secret list --format json -c gateway',
  out: names('SIGNING_KEYS', 'KEY_ENCRYPTION_KEYS'),
}
const callbacksKeys = { to: 'secret list --format json -c callbacks', out: names('KEY_ENCRYPTION_KEYS') }

async function setUp(another = false) {
  const { SIGNING_KEYS, KEY_ENCRYPTION_KEYS } = await localSecrets('k1')
  const fresh = { SIGNING_KEYS, KEY_ENCRYPTION_KEYS, operator: await mintOperator(0) }
  const shown: Record<string, unknown> = {}
  const told: string[] = []
  const show = (what: object) => Object.assign(shown, what)
  const parts = {
    wrangler: wranglerFromPath(),
    tell: (line: string) => told.push(line),
    fresh,
    another,
    show,
  }
  const refusal = await setUpRemote(fitting, parts).then(
    () => null,
    (error: Error) => error.message,
  )
  return { fresh, shown, told, refusal }
}

const changing = (calls: readonly string[]) =>
  calls
    .filter((call) => /^secret bulk|--yes|^d1 (create|migrations)/.test(call))
    .map((call) => call.split(' -')[0])

describe('the one-time step of a deployment', () => {
  it('makes keys, tables and an operator in an empty account', async () => {
    const standIn = wranglerStandIn([noWorkers, operators(0), { to: 'd1 info', code: 1 }])

    const { fresh, shown, refusal } = await setUp()

    expect(refusal).toBeNull()
    expect(changing(standIn.calls())).toEqual([
      'd1 create directory',
      'd1 migrations apply DIRECTORY',
      'secret bulk',
      'secret bulk',
      'd1 execute DIRECTORY',
    ])
    const { clientId: client_id, clientSecret: client_secret } = fresh.operator
    expect(shown).toEqual({
      SIGNING_KEYS: JSON.parse(fresh.SIGNING_KEYS),
      KEY_ENCRYPTION_KEYS: JSON.parse(fresh.KEY_ENCRYPTION_KEYS),
      operator: { client_id, client_secret },
    })
  })

  it('gives both Workers the same key, and no secret to any command line or to whoever watches', async () => {
    const standIn = wranglerStandIn([noWorkers, operators(0)])

    const { fresh, told } = await setUp()

    const { SIGNING_KEYS, KEY_ENCRYPTION_KEYS, operator } = fresh
    const given = standIn.inputs().filter(Boolean)
    expect(given.map((text) => JSON.parse(text) as unknown)).toEqual([
      { SIGNING_KEYS, KEY_ENCRYPTION_KEYS },
      { KEY_ENCRYPTION_KEYS },
    ])
    const seen = [...standIn.calls(), ...told].join('\n')
    for (const secret of [operator.clientSecret, ...Object.values(JSON.parse(KEY_ENCRYPTION_KEYS) as object)])
      expect(seen).not.toContain(secret)
    expect(seen).toContain(operator.clientId)
  })

  it('makes no second first operator', async () => {
    const standIn = wranglerStandIn([gatewaysKeys, callbacksKeys, operators(1)])

    const { shown, refusal } = await setUp()

    expect(refusal).toContain('There is an operator already')
    expect(shown).toEqual({})
    expect(standIn.calls().filter((call) => /^secret bulk|--yes/.test(call))).toEqual([])
  })

  it('makes another operator when told to, and leaves the keys', async () => {
    wranglerStandIn([gatewaysKeys, callbacksKeys, operators(2)])

    const { shown, refusal } = await setUp(true)

    expect([refusal, Object.keys(shown)]).toEqual([null, ['operator']])
  })

  it('makes up for what a run that broke off has left undone', async () => {
    wranglerStandIn([gatewaysKeys, callbacksKeys, operators(0)])

    const { shown, refusal } = await setUp()

    expect([refusal, Object.keys(shown)]).toEqual([null, ['operator']])
  })

  it('refuses to make a second key where only one Worker lacks it', async () => {
    const standIn = wranglerStandIn([gatewaysKeys, { ...callbacksKeys, out: '[]' }, operators(0)])

    const { refusal } = await setUp()

    expect(refusal).toContain('KEY_ENCRYPTION_KEYS is set for some Workers, and missing for my-callbacks')
    expect(changing(standIn.calls())).toEqual([])
  })

  it('shows the keys that it has set although the operator could not be made', async () => {
    wranglerStandIn([noWorkers, operators(0), { to: 'd1 execute DIRECTORY --remote --yes', code: 1 }])

    const { shown, refusal } = await setUp()

    expect(refusal).toContain('Stopped at the operator')
    expect(Object.keys(shown).toSorted()).toEqual(['KEY_ENCRYPTION_KEYS', 'SIGNING_KEYS'])
  })

  it('can be seen beforehand', () => {
    expect(callsOf(fitting)).toContain(
      'wrangler secret bulk -c gateway.toml --env production  # reads SIGNING_KEYS, KEY_ENCRYPTION_KEYS',
    )
  })
})
