/** An issuer on a network of its own, and the isolates that ask it, with a clock that only tests move. */
import { exportJWK, generateKeyPair } from 'jose'
import { memoryDirectory } from '../../../ledger/directory/directory.fixture.ts'
import { addIssuer } from '../../../ledger/directory/issuers.ts'
import { type Directory, openDirectory } from '../../../ledger/directory/open.ts'
import { addTenant } from '../../../ledger/directory/operations.ts'
import { newcomer } from '../../../ledger/directory/tenant-changes.ts'
import type { Surroundings } from './trusted.ts'

export const ISSUER = 'https://login.acme.dev/main'
export const NOW = Date.UTC(2026, 10, 30)

export const METADATA = `${ISSUER}/.well-known/openid-configuration`
export const JWKS = 'https://keys.acme.dev/set'

/** What an address answers with; an exception is a connection that fails. */
type Answering = (signal: AbortSignal) => Response | Promise<Response>

export class Network {
  readonly asked: string[] = []
  readonly answers: Record<string, Answering> = {}

  readonly fetch = (async (url: URL, init: RequestInit) => {
    this.asked.push(url.href)
    const answering = this.answers[url.href]
    return answering ? answering(init.signal as AbortSignal) : new Response('', { status: 404 })
  }) as unknown as typeof fetch

  json(url: string, body: unknown) {
    this.answers[url] = () => Response.json(body)
  }

  timesAsked = (url: string) => this.asked.filter((one) => one === url).length
}

export async function publicKey(kid: string): Promise<object> {
  const pair = await generateKeyPair('ES256', { extractable: true })
  return { ...(await exportJWK(pair.publicKey)), kid }
}

export async function registered(): Promise<Directory> {
  const directory = openDirectory(memoryDirectory().database)
  const row = {
    id: 'iss_1',
    tenantId: 'acme',
    issuer: ISSUER,
    audience: null,
    scopes: ['jobs:read'],
    createdAt: NOW,
    keys: [],
    keysReadAt: null,
    failures: 0,
    keysError: null,
    nextReadAt: 0,
    claimedUntil: 0,
  }
  const act = { operator: 'o', reason: 'a test', at: NOW, kept: null }
  await addTenant(directory, newcomer('acme', {}, NOW), act)
  await addIssuer(directory, row, act)
  return directory
}

export interface Clock {
  at: number
}

/** `lookUps` counts questions to the directory. */
export function around(directory: Directory, network: Network, clock: Clock) {
  const seen = { lookUps: 0 }
  const surroundings: Surroundings = {
    directory,
    guard: async (url) => ({ ok: true, url: new URL(url) }),
    fetch: network.fetch,
    now: () => clock.at,
    wait: async (ms) => {
      clock.at += ms
      await new Promise((resolve) => setTimeout(resolve, 1))
    },
    finish: () => undefined,
    mayLookUp: async () => {
      seen.lookUps++
      return true
    },
  }
  return { surroundings, seen }
}
