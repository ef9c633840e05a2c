import { z } from '@hono/zod-openapi'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseVariables } from '../settings.ts'
import { guardOf, guardVariables } from './guard-settings.ts'

const given = {
  PUBLIC_BASE_URL: 'https://api.gateway.dev',
  ALLOW_LOOPBACK_WEBHOOKS: '0',
  OWN_HOSTS: '',
  DNS_RESOLVER_URL: 'https://dns.dev/dns-query',
}

/** The guard of a deployment in which every name leads to a public address. */
function guardWith(variables: Partial<Record<keyof typeof given, string | undefined>> = {}) {
  const parsed = parseVariables(z.object(guardVariables), { ...given, ...variables })
  const answer = { Status: 0, Answer: [{ type: 1, TTL: 0, data: '93.184.215.14' }] }
  const fetch = vi.fn<typeof globalThis.fetch>(async () => Response.json(answer))
  return { guard: guardOf(parsed, { fetch, now: () => 0 }), fetch }
}

const isOpen = async (url: string, variables: Parameters<typeof guardWith>[0] = {}) =>
  (await guardWith(variables).guard(url)).ok

beforeEach(() => vi.stubGlobal('LOCAL_RUN', false))
afterEach(() => vi.unstubAllGlobals())

describe('a deployment', () => {
  it('asks its resolver', async () => {
    const { guard, fetch } = guardWith()

    expect(await guard('https://example.com/')).toMatchObject({ ok: true })
    expect(fetch.mock.calls.map(([url]) => String(url))).toEqual([
      'https://dns.dev/dns-query?name=example.com&type=A',
      'https://dns.dev/dns-query?name=example.com&type=AAAA',
    ])
  })

  it.each([undefined, '', 'http://dns.dev/dns-query', 'http://127.0.0.1:5353/', 'dns.dev', 'ftp://dns.dev/'])(
    'does not start with the resolver %s',
    (DNS_RESOLVER_URL) => {
      expect(() => guardWith({ DNS_RESOLVER_URL })).toThrow('DNS_RESOLVER_URL')
    },
  )

  it('does not open this machine, whatever the variable says', async () => {
    expect(await isOpen('http://127.0.0.1:9999/', { ALLOW_LOOPBACK_WEBHOOKS: '1' })).toBe(false)
  })

  it('keeps its own hosts and what is within them closed', async () => {
    const OWN_HOSTS = 'gateway.dev, Status.Gateway.APP.'

    expect(await isOpen('https://api.gateway.dev/')).toBe(false)
    expect(await isOpen('https://docs.gateway.dev/')).toBe(true)
    expect(await isOpen('https://docs.gateway.dev/', { OWN_HOSTS })).toBe(false)
    expect(await isOpen('https://eu.status.gateway.app./', { OWN_HOSTS })).toBe(false)
    expect(await isOpen('https://gateway.app/', { OWN_HOSTS })).toBe(true)
  })

  it.each(['https://gateway.dev', 'gateway.dev,', '*.gateway.dev', 'gateway..dev'])(
    'does not start with the own host %s',
    (OWN_HOSTS) => {
      expect(() => guardWith({ OWN_HOSTS })).toThrow('OWN_HOSTS')
    },
  )
})

describe('the local run', () => {
  beforeEach(() => vi.stubGlobal('LOCAL_RUN', true))
  const here = { PUBLIC_BASE_URL: 'http://localhost:8787', ALLOW_LOOPBACK_WEBHOOKS: '1' }

  it.each([undefined, ''])(
    'takes names for what they say without a resolver: %j',
    async (DNS_RESOLVER_URL) => {
      const { guard, fetch } = guardWith({ ...here, DNS_RESOLVER_URL, OWN_HOSTS: undefined })

      expect(await guard('https://example.com/')).toMatchObject({ ok: true })
      expect(fetch).not.toHaveBeenCalled()
    },
  )

  it('may ask a resolver of this machine', async () => {
    expect(
      await isOpen('https://example.com/', { ...here, DNS_RESOLVER_URL: 'http://127.0.0.1:5353/' }),
    ).toBe(true)
  })

  it('does not start with a resolver elsewhere that is asked in the clear', () => {
    expect(() => guardWith({ ...here, DNS_RESOLVER_URL: 'http://dns.dev/' })).toThrow('DNS_RESOLVER_URL')
  })

  it('opens this machine where it is wanted, but for where it listens itself', async () => {
    expect(await isOpen('http://127.0.0.1:9999/', here)).toBe(true)
    expect(await isOpen('http://127.0.0.1:8787/', here)).toBe(false)
    expect(await isOpen('http://127.0.0.1:9999/', { ...here, ALLOW_LOOPBACK_WEBHOOKS: '0' })).toBe(false)
  })
})
