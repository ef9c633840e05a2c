/** The commands of a deployment as they are typed, with a stand-in for wrangler. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { wranglerStandIn } from '../scripts/deploy/stand-in.fixture.ts'
import { projectRoot } from '../scripts/support/workers.ts'

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const typed = (script: string, ...args: string[]): Promise<Ended> =>
  promisify(execFile)(process.execPath, [`scripts/${script}.ts`, ...args], {
    cwd: projectRoot,
    env: process.env,
  }).then(
    (said) => ({ code: 0, ...said }),
    (error: Ended) => error,
  )

const emptyAccount = [
  { to: 'secret list', code: 1, complaint: 'Worker "x" not found.' },
  { to: 'd1 execute DIRECTORY --remote --json', out: '[{"results":[{"operators":0}]}]' },
]

describe('setup of a deployment', () => {
  it('prints what is secret to standard output alone, as one JSON text', async () => {
    wranglerStandIn(emptyAccount)

    const { code, stdout, stderr } = await typed('setup', '--production')

    const { environment, operator, SIGNING_KEYS, KEY_ENCRYPTION_KEYS } = JSON.parse(stdout)
    expect([code, environment]).toEqual([0, 'production'])
    const secrets: string[] = [
      operator.client_secret,
      SIGNING_KEYS[0].d,
      ...Object.values<string>(KEY_ENCRYPTION_KEYS),
    ]
    for (const secret of secrets) expect(stderr).not.toContain(secret)
    expect(stderr).toContain('Keep what was printed')
  })

  it.each([
    ['an option that there is not', ['--prod'], 'There are --env …, --production, --dry-run'],
    ['a dry run of nothing', ['--dry-run'], '--dry-run and --another go with --production or --env NAME.'],
    ['an environment that there is not', ['--env', 'nope'], 'wrangler.toml: Processing wrangler.toml'],
  ])('refuses %s in a sentence, and does nothing', async (_, args, why) => {
    const standIn = wranglerStandIn(emptyAccount)

    const { code, stdout, stderr } = await typed('setup', ...args)

    expect([code > 0, stdout, standIn.calls()]).toEqual([true, '', []])
    expect(stderr).toContain(why)
    expect(stderr).not.toMatch(/^ {4}at /m)
  })

  it('prints nothing there where nothing was made', async () => {
    wranglerStandIn([{ to: 'whoami', code: 1, complaint: 'You are not authenticated.' }])

    const { code, stdout, stderr } = await typed('setup', '--production')

    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('You are not authenticated.')
  })
})

describe('a deployment', () => {
  it.each([
    ['without a name of its own', [], 'PUBLIC_BASE_URL is still https://api.example.com'],
    ['of an environment that there is not', ['--env', 'nope'], 'No configuration has the environment nope.'],
  ])('%s calls nothing', async (_, args, why) => {
    const standIn = wranglerStandIn()

    const { code, stderr } = await typed('deploy', ...args)

    expect([code, standIn.calls()]).toEqual([1, []])
    expect(stderr).toContain(why)
  })
})
