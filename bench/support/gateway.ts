/** The three real Workers in one workerd, with an operator and what an operator and a tenant do over HTTP. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mintOperator } from '../../scripts/support/operator.ts'
import { localSecrets } from '../../scripts/support/secrets.ts'
import type { Shot } from './load.ts'
import type { Workerd, WorkerSpec } from './workerd.ts'

const root = join(import.meta.dirname, '../..')

/** The tokens' issuer, and the same for the Worker that signs webhooks; nobody connects to it. */
const PUBLIC_BASE_URL = 'https://api.gateway.test'

export async function gatewaySpecs(bindings: Record<string, string>): Promise<WorkerSpec[]> {
  const { SIGNING_KEYS, KEY_ENCRYPTION_KEYS } = await localSecrets()
  const all = { PUBLIC_BASE_URL, SIGNING_KEYS, KEY_ENCRYPTION_KEYS, ...bindings }
  return [
    { name: 'gateway', configPath: join(root, 'wrangler.toml'), bindings: all },
    { name: 'consumers', configPath: join(root, 'consumers/wrangler.toml'), bindings: all },
    { name: 'callbacks', configPath: join(root, 'callbacks/wrangler.toml'), bindings: all },
  ]
}

export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
}

export async function prepareDirectory({ miniflare }: Workerd): Promise<Credentials> {
  const directory = await miniflare.getD1Database('DIRECTORY', 'gateway')
  const folder = join(root, 'migrations/directory')
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8')
    await directory.batch(
      text.split('--> statement-breakpoint').map((statement) => directory.prepare(statement)),
    )
  }
  const operator = await mintOperator(Date.now())
  await directory.prepare(operator.sql).run()
  return operator
}

/** One client of the gateway, with its token. */
export class Caller {
  readonly url: URL
  readonly authorization: string

  private constructor(url: URL, token: string) {
    this.url = url
    this.authorization = `Bearer ${token}`
  }

  static async signIn(url: URL, { clientId, clientSecret }: Credentials): Promise<Caller> {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
    const response = await fetch(new URL('/oauth/token', url), {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    const { access_token } = await answerOf<{ access_token: string }>(response)
    return new Caller(url, access_token)
  }

  /** The same caller at another gateway. */
  at(url: URL): Caller {
    return new Caller(url, this.authorization.slice('Bearer '.length))
  }

  async get<T>(path: string): Promise<T> {
    return answerOf<T>(
      await fetch(new URL(path, this.url), { headers: { Authorization: this.authorization } }),
    )
  }

  post<T>(path: string, body: object): Promise<T> {
    return this.#send<T>('POST', path, body)
  }

  patch<T>(path: string, body: object): Promise<T> {
    return this.#send<T>('PATCH', path, body)
  }

  /** The request that `post` would send now, under a key of its own. */
  shot(method: string, path: string, body: object): Shot {
    const headers = {
      Authorization: this.authorization,
      'Content-Type': 'application/json',
      'Idempotency-Key': crypto.randomUUID(),
    }
    return { method, path, headers, body: JSON.stringify(body) }
  }

  async #send<T>(method: string, path: string, body: object): Promise<T> {
    const { path: _, ...init } = this.shot(method, path, body)
    return answerOf<T>(await fetch(new URL(path, this.url), init))
  }
}

async function answerOf<T>(response: Response): Promise<T> {
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

/** A new tenant, signed in. */
export const newTenant = async (operator: Caller, id: string, limits: object): Promise<Caller> =>
  Caller.signIn(operator.url, await newClient(operator, id, limits))

/** The credentials of a new tenant's only client. */
export async function newClient(operator: Caller, id: string, limits: object): Promise<Credentials> {
  const reason = 'benchmark'
  await operator.post('/ops/v1/tenants', { id, limits, reason })
  const client = await operator.post<{ client_id: string; client_secret: string }>(
    `/ops/v1/tenants/${id}/clients`,
    { name: 'bench', reason },
  )
  return { clientId: client.client_id, clientSecret: client.client_secret }
}
