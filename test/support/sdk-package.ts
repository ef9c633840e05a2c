/** The SDK as a package that a customer has installed, in a folder of the customer's own. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = process.cwd()
const bin = (name: string) => join(root, 'node_modules/.bin', name)

/** Both that the project has: its own, and the one that most customers have. */
export const compilers = { present: bin('tsc'), older: join(root, 'openapi/tools/node_modules/.bin/tsc') }

/** The samples of its README, in their order. */
export const samples = [...readFileSync('sdk/README.md', 'utf8').matchAll(/^```ts\n(.*?)^```/gms)].map(
  ([, sample = '']) => sample,
)

export class Installation {
  readonly #folder = mkdtempSync(join(tmpdir(), 'gateway-sdk-customer-'))

  async install(): Promise<void> {
    await run(process.execPath, ['scripts/sdk.ts', '--check'])
    const { stdout } = await run('npm', ['pack', './sdk', '--json', '--pack-destination', this.#folder])
    const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string }>)
    const target = join(this.#folder, 'node_modules/@async-ai-gateway/sdk')
    mkdirSync(target, { recursive: true })
    const archive = join(this.#folder, packed?.filename ?? '')
    await run('tar', ['xzf', archive, '-C', target, '--strip-components', '1'])
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.#folder, name), text)
  }

  /** What a compiler has to say about files of the customer's, in the strictest of ways; nothing, if all is well. */
  async complaints(compiler: string, files: readonly string[], options: object): Promise<string> {
    const strict = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false }
    const compilerOptions = { ...strict, target: 'es2022', module: 'nodenext', ...options }
    this.write('package.json', '{ "type": "module" }')
    this.write('tsconfig.json', JSON.stringify({ compilerOptions, files }))
    const outcome = await run(compiler, ['-p', this.#folder]).catch((error: { stdout: string }) => error)
    return outcome.stdout
  }

  /** What a file prints when it is run. */
  async printed(name: string, env: Record<string, string>): Promise<string> {
    const { stdout } = await run(process.execPath, [join(this.#folder, name)], {
      env: { ...process.env, ...env },
    })
    return stdout
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true })
  }
}
