import { describe, expect, it, vi } from 'vitest'
import type { DestinationRules } from './destination.ts'
import type { LookedUp } from './dns.ts'
import { makeGuard } from './guard.ts'

const production: DestinationRules = { allowLoopback: false, ownHosts: ['api.gateway.dev'], ownPorts: [] }
const local: DestinationRules = { allowLoopback: true, ownHosts: ['localhost'], ownPorts: ['8787'] }

const found = (addresses: string[], more: Partial<LookedUp> = {}): LookedUp => ({
  addresses,
  aliases: [],
  complete: true,
  ...more,
})
const leadingTo = (lookedUp: LookedUp) => makeGuard(production, async () => lookedUp)

describe('a name', () => {
  it.each([
    ['a public address', found(['93.184.215.14'])],
    ['public addresses of both kinds', found(['93.184.215.14', '2606:2800:21f:cb07::1'])],
    [
      'a public address by an alias',
      found(['93.184.215.14'], { aliases: ['shop.example.net', 'a_b.example.org'] }),
    ],
  ])('that leads to %s may be called', async (_, lookedUp) => {
    expect(await leadingTo(lookedUp)('https://example.com./hook#x')).toMatchObject({
      ok: true,
      url: { href: 'https://example.com/hook' },
    })
  })

  it.each([
    ['a private address', found(['10.0.0.7'])],
    ['this machine', found(['::1'])],
    ['a private address besides a public one', found(['93.184.215.14', '10.0.0.7'])],
    ['this machine besides a public address', found(['93.184.215.14', '::1'])],
    ['this machine, mapped', found(['::ffff:127.0.0.1'])],
    ['a private address, with the rest unknown', found(['10.0.0.7'], { complete: false })],
    ['nowhere', found([])],
    ['a name of a cluster', found(['93.184.215.14'], { aliases: ['kubernetes.default.svc'] })],
    ['an address for a name', found(['93.184.215.14'], { aliases: ['127.0.0.1'] })],
    ['a host of ours', found(['93.184.215.14'], { aliases: ['example.net', 'eu.api.gateway.dev'] })],
    ['a host of ours, with the rest unknown', found([], { aliases: ['api.gateway.dev'], complete: false })],
  ])('that leads to %s is refused for good', async (_, lookedUp) => {
    expect(await leadingTo(lookedUp)('https://example.com/')).toEqual({
      ok: false,
      why: expect.stringMatching(/^The host .*\.$/),
      passing: false,
    })
  })

  it.each([
    ['nobody can say where', found([], { complete: false })],
    ['a public address, with the rest unknown', found(['93.184.215.14'], { complete: false })],
  ])('that leads to %s is refused for now', async (_, lookedUp) => {
    expect(await leadingTo(lookedUp)('https://example.com/')).toMatchObject({ ok: false, passing: true })
  })

  it('is looked up in lower case and without a last dot', async () => {
    const resolve = vi.fn(async () => found(['93.184.215.14']))

    await makeGuard(production, resolve)('https://Bücher.DE./')

    expect(resolve).toHaveBeenCalledExactlyOnceWith('xn--bcher-kva.de')
  })

  it('is taken for what it says without a resolver', async () => {
    expect(await makeGuard(local, null)('https://example.com/')).toMatchObject({ ok: true })
  })
})

describe('a URL', () => {
  it.each([
    ['refused by its form', 'https://10.0.0.1/', production, false],
    ['of this machine, refused', 'http://localhost:9999/', production, false],
    ['of this machine, allowed', 'http://localhost:9999/', local, true],
    ['of our own, refused', 'http://localhost:8787/', local, false],
  ])('that is %s is not looked up', async (_, url, rules, ok) => {
    const resolve = vi.fn(async () => found(['93.184.215.14']))

    expect((await makeGuard(rules, resolve)(url)).ok).toBe(ok)
    expect(resolve).not.toHaveBeenCalled()
  })

  it('of a name is looked up also where this machine is allowed', async () => {
    const guard = makeGuard(local, async () => found(['127.0.0.1']))

    expect(await guard('https://example.com/')).toMatchObject({ ok: false, passing: false })
  })
})
