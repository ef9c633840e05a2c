import { describe, expect, it } from 'vitest'
import { readPublishedKeys } from './discover.ts'
import { ISSUER, JWKS, METADATA, Network, publicKey } from './issuer.fixture.ts'

const OTHER_METADATA = 'https://login.acme.dev/.well-known/oauth-authorization-server/main'
const jwk = await publicKey('one')

function network(): Network {
  const net = new Network()
  net.json(METADATA, { issuer: ISSUER, jwks_uri: JWKS })
  net.json(JWKS, { keys: [jwk] })
  return net
}

const read = (net: Network, refusing: string | null = null, passing = false) =>
  readPublishedKeys(ISSUER, {
    fetch: net.fetch,
    guard: async (url) =>
      url === refusing ? { ok: false, why: 'no', passing } : { ok: true, url: new URL(url) },
  })

describe('the keys of an issuer', () => {
  it('are found by OpenID Connect Discovery', async () => {
    const net = network()

    expect(await read(net)).toMatchObject({ ok: true, keys: [{ kid: 'one', alg: 'ES256' }] })
    expect(net.asked).toEqual([METADATA, JWKS])
  })

  it('are found by RFC 8414, which puts the path behind', async () => {
    const net = network()
    net.answers[METADATA] = () => new Response('', { status: 404 })
    net.json(OTHER_METADATA, { issuer: ISSUER, jwks_uri: JWKS })

    expect(await read(net)).toMatchObject({ ok: true })
    expect(net.asked).toEqual([METADATA, OTHER_METADATA, JWKS])
  })

  it('are found of an issuer that ends in a slash', async () => {
    const net = network()
    const issuer = 'https://login.acme.dev/'
    net.json('https://login.acme.dev/.well-known/openid-configuration', { issuer, jwks_uri: JWKS })

    const guard = async (url: string) => ({ ok: true as const, url: new URL(url) })
    expect(await readPublishedKeys(issuer, { fetch: net.fetch, guard })).toMatchObject({ ok: true })
  })

  const moved = () => new Response('', { status: 302, headers: { Location: 'http://127.0.0.1/' } })
  const metadata = (more: object) => (net: Network) =>
    net.json(METADATA, { issuer: ISSUER, jwks_uri: JWKS, ...more })
  const answering =
    (url: string, answer: (signal: AbortSignal) => Response | Promise<Response>) => (net: Network) => {
      net.answers[url] = answer
    }

  it.each<[string, string, (net: Network) => void]>([
    ['the metadata is nowhere', 'http_status', answering(METADATA, () => new Response('', { status: 404 }))],
    ['the metadata moved', 'http_status', answering(METADATA, moved)],
    ['the metadata is a page', 'http_status', answering(METADATA, () => new Response('<html>'))],
    ['the metadata is a list', 'no_key_set', answering(METADATA, () => Response.json([]))],
    ['the metadata names another issuer', 'other_issuer', metadata({ issuer: 'https://evil.dev' })],
    ['the metadata names the issuer with a slash', 'other_issuer', metadata({ issuer: `${ISSUER}/` })],
    ['the metadata names none', 'no_key_set', metadata({ issuer: undefined })],
    ['there is no address of keys', 'no_key_set', metadata({ jwks_uri: undefined })],
    ['the keys moved', 'redirect', answering(JWKS, moved)],
    ['the keys are nowhere', 'http_status', answering(JWKS, () => new Response('', { status: 500 }))],
    ['the keys are 204', 'http_status', answering(JWKS, () => new Response(null, { status: 204 }))],
    ['the keys are a page', 'not_json', answering(JWKS, () => new Response('<html>'))],
    ['the keys are none', 'no_key_set', answering(JWKS, () => Response.json({ jwks: [] }))],
    ['the answer is huge', 'too_large', answering(JWKS, () => new Response('x'.repeat(65_537)))],
    ['the connection fails', 'connection_failed', answering(JWKS, () => Promise.reject(new Error('reset')))],
  ])('are not read when %s', async (_, error, change) => {
    const net = network()
    change(net)

    expect(await read(net)).toEqual({ ok: false, error })
  })

  it.each([
    ['the address of the metadata is refused', METADATA, false, 'url_refused'],
    ['the address of the keys is refused', JWKS, false, 'url_refused'],
    ['nobody can say where the name of the keys leads', JWKS, true, 'lookup_unavailable'],
  ])('are not read when %s, nor is it asked', async (_, refusing, passing, error) => {
    const net = network()

    expect(await read(net, refusing, passing)).toEqual({ ok: false, error })
    expect(net.asked).not.toContain(refusing)
  })

  it('may be relative to nothing', async () => {
    const net = network()
    metadata({ jwks_uri: '/keys' })(net)
    const guard = async (url: string) =>
      URL.canParse(url)
        ? { ok: true as const, url: new URL(url) }
        : { ok: false as const, why: '', passing: false }

    expect(await readPublishedKeys(ISSUER, { fetch: net.fetch, guard })).toEqual({
      ok: false,
      error: 'url_refused',
    })
  })
})
