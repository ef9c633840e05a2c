/** A closed loop of requests over keep-alive connections: a fixed number is always under way. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'

export interface Shot {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
}

export interface Target {
  readonly url: URL
  /** The next request; called for each one. */
  readonly shot: () => Shot
  readonly expect: number
}

export interface Round {
  readonly requests: number
  readonly perSecond: number
}

/** Fires for `durationMs`, lets what is under way finish, and counts that too. One answer of another status ends everything. */
export async function fire(
  target: Target,
  concurrency: number,
  durationMs: number,
  agent: Agent,
): Promise<Round> {
  const startedAt = performance.now()
  return loops(target, concurrency, agent, () => performance.now() - startedAt < durationMs)
}

/** Fires exactly so many requests. */
export function fireTimes(target: Target, concurrency: number, times: number, agent: Agent): Promise<Round> {
  let left = times
  return loops(target, concurrency, agent, () => left-- > 0)
}

async function loops(target: Target, concurrency: number, agent: Agent, more: () => boolean): Promise<Round> {
  const startedAt = performance.now()
  let requests = 0
  const loop = async () => {
    for (; more(); requests++) await send(target, agent)
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
  return { requests, perSecond: requests / ((performance.now() - startedAt) / 1000) }
}

async function send({ url, shot, expect }: Target, agent: Agent): Promise<void> {
  const response = await exchange(url, shot(), expect, agent)
  return new Promise((resolve, reject) => {
    response.on('end', resolve).on('error', reject).resume()
  })
}

/** One request, and the text of its answer. */
export async function ask(url: URL, shot: Shot, expect: number, agent: Agent): Promise<string> {
  return textOf(await exchange(url, shot, expect, agent))
}

/** One request, and its answer as it comes. */
export function exchange(url: URL, shot: Shot, expect: number, agent: Agent): Promise<IncomingMessage> {
  const { method, path, headers, body } = shot
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: url.hostname,
        port: url.port,
        agent,
        method,
        path,
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      },
      (response) => {
        if (response.statusCode === expect) resolve(response)
        else refused(response).then(reject, reject)
      },
    )
    outgoing.on('error', reject).end(body)
  })
}

async function refused(response: IncomingMessage): Promise<Error> {
  return new Error(`Answered ${response.statusCode}: ${(await textOf(response)).slice(0, 500)}`)
}

export const keepAlive = (connections: number) => new Agent({ keepAlive: true, maxSockets: connections })
