/** The client of a tenant: the API's resources, over a transport that looks after tokens, keys and retries. */
import { Core } from './core.ts'
import { GatewayError, ProblemError } from './errors.ts'
import { type Client, createClient, createConfig } from './generated/client/index.ts'
import { Account } from './resources/account.ts'
import { Batches } from './resources/batches.ts'
import { Deliveries } from './resources/deliveries.ts'
import { Events } from './resources/events.ts'
import { Files } from './resources/files.ts'
import { Jobs } from './resources/jobs.ts'
import { WebhookEndpoints } from './resources/webhook-endpoints.ts'
import { defaultPolicy, type RetryPolicy } from './retry.ts'
import { retryAfterMs } from './retry-after.ts'
import { sleep, unlessAborted } from './time.ts'
import { type ClientCredentials, clientTokens, givenTokens, type Tokens } from './token.ts'
import { type Call, callOf, deliver, type Means } from './transport.ts'
import { newKey } from './web-crypto.ts'

interface TokenGiver {
  /**
   * A token for each call, from wherever yours come from: keep it as long as it is good. `refused` is one that the gateway has just
   * answered with 401; give another, or the same if there is none.
   */
  readonly token: (refused?: string) => string | Promise<string>
}

export type GatewayOptions = (ClientCredentials | TokenGiver) & {
  readonly baseUrl: string
  readonly retry?: Partial<RetryPolicy>
  /** For one attempt, until its answer is there (default 60,000); an upload gets more, by its size. */
  readonly timeoutMs?: number
} & Partial<Pick<Means, 'fetch' | 'now' | 'random' | 'sleep' | 'newKey'>>

export class Gateway {
  /** For the generated functions: `operations.getJob({ client: gateway.client, path: { job_id } })`. */
  readonly client: Client
  readonly jobs: Jobs
  readonly batches: Batches
  readonly files: Files
  readonly webhookEndpoints: WebhookEndpoints
  readonly deliveries: Deliveries
  readonly events: Events
  readonly account: Account

  constructor(options: GatewayOptions) {
    if (!URL.canParse(options.baseUrl))
      throw new GatewayError('baseUrl has to be a URL, such as https://api.example.com.')
    const baseUrl = options.baseUrl.replace(/\/+$/, '')
    const means = meansOf(options)
    const tokens = 'token' in options ? givenTokens(options.token) : clientTokens(baseUrl, options, means)
    this.client = clientOf(baseUrl, fetchFor(tokens, means), means)
    const core = new Core(this.client, means)
    this.jobs = new Jobs(core)
    this.batches = new Batches(core)
    this.files = new Files(core)
    this.webhookEndpoints = new WebhookEndpoints(core)
    this.deliveries = new Deliveries(core)
    this.events = new Events(core)
    this.account = new Account(core)
  }
}

function meansOf({ retry, timeoutMs = 60_000, ...given }: GatewayOptions): Means {
  return {
    fetch: given.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    now: given.now ?? Date.now,
    random: given.random ?? Math.random,
    sleep: given.sleep ?? sleep,
    newKey: given.newKey ?? newKey,
    policy: { ...defaultPolicy, ...retry },
    timeoutMs,
  }
}

function clientOf(baseUrl: string, fetch: typeof globalThis.fetch, means: Means): Client {
  const client = createClient(createConfig({ baseUrl, fetch, throwOnError: true }))
  client.interceptors.error.use((error, response) => {
    if (!response || response.ok || response.status === 304) return error
    const wait = retryAfterMs(response.headers, means.now())
    return new ProblemError(response, error, wait === null ? null : wait / 1000)
  })
  return client
}

/** What everything that is generated goes through. */
const fetchFor =
  (tokens: Tokens, means: Means): typeof fetch =>
  async (input, init) => {
    const call = await callOf(new Request(input, init))
    if (call.method === 'POST' && !call.headers.has('Idempotency-Key'))
      call.headers.set('Idempotency-Key', await means.newKey())
    return authorized(call, tokens, means)
  }

/** A token that is refused is replaced once: it may have been revoked, or our clock be wrong. */
async function authorized(call: Call, tokens: Tokens, means: Means): Promise<Response> {
  const send = (token: string) => {
    call.headers.set('Authorization', `Bearer ${token}`)
    return deliver(call, means)
  }
  const token = await unlessAborted(tokens.get(), call.signal)
  const response = await send(token)
  if (response.status !== 401) return response
  const fresh = await unlessAborted(tokens.renew(token), call.signal)
  return fresh === token ? response : send(fresh)
}
