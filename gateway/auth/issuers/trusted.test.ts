import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { removeIssuer } from '../../../ledger/directory/issuers.ts'
import type { Directory } from '../../../ledger/directory/open.ts'
import { issuers } from '../../../ledger/directory/schema.ts'
import {
  around,
  type Clock,
  ISSUER,
  JWKS,
  METADATA,
  Network,
  NOW,
  publicKey,
  registered,
} from './issuer.fixture.ts'
import { TrustedIssuers } from './trusted.ts'

const [one, two] = [await publicKey('one'), await publicKey('two')]
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]

let directory: Directory
let network: Network
let clock: Clock
beforeEach(async () => {
  directory = await registered()
  clock = { at: NOW }
  network = new Network()
  network.json(METADATA, { issuer: ISSUER, jwks_uri: JWKS })
  network.json(JWKS, { keys: [one] })
})

const down = () => {
  network.answers[METADATA] = () => Promise.reject(new Error('refused'))
}
const up = () => network.json(METADATA, { issuer: ISSUER, jwks_uri: JWKS })
const readings = () => network.timesAsked(METADATA)

/** An isolate that has just started, and what it says of a key. */
function isolate() {
  const trusted = new TrustedIssuers()
  const { surroundings, seen } = around(directory, network, clock)
  const says = async (kid: string) => {
    const found = await trusted.find(ISSUER, surroundings)
    if (!found || found === 'too many requests') return found
    const key = await trusted.keyOf(found, kid, surroundings)
    return key === null || key === 'out of reach' ? key : 'known'
  }
  return { says, seen, trusted, surroundings }
}

const remove = async () => {
  const row = await directory.select().from(issuers).where(eq(issuers.id, 'iss_1')).get()
  if (row) await removeIssuer(directory, row, { operator: 'o', reason: 'a test', at: clock.at, kept: null })
}

describe('the keys of a trusted issuer', () => {
  it('are read once, for all isolates', async () => {
    const [first, second] = [isolate(), isolate()]

    expect([await first.says('one'), await first.says('one'), await second.says('one')]).toEqual(
      Array(3).fill('known'),
    )
    expect([readings(), network.timesAsked(JWKS)]).toEqual([1, 1])
  })

  it('are read once by many who ask at the same time', async () => {
    const isolates = [isolate(), isolate()]

    const said = await Promise.all(Array.from({ length: 10 }, (_, at) => isolates[at % 2]?.says('one')))

    expect(said).toEqual(Array(10).fill('known'))
    expect(readings()).toBe(1)
  })

  it('are read again after ten minutes, and one that was taken back is good no more', async () => {
    const { says } = isolate()
    await says('one')
    network.json(JWKS, { keys: [two] })

    clock.at += 10 * MINUTE - 1
    expect(await says('one')).toBe('known')
    clock.at += 1
    expect([await says('one'), await says('two')]).toEqual([null, 'known'])
    expect(readings()).toBe(2)
  })

  it('may all be taken back', async () => {
    const { says } = isolate()
    await says('one')
    network.json(JWKS, { keys: [] })

    clock.at += 10 * MINUTE
    expect(await says('one')).toBeNull()
  })

  it('are gone by for a day while the issuer is down', async () => {
    const { says } = isolate()
    await says('one')
    down()

    clock.at += 24 * HOUR - 1
    expect(await says('one')).toBe('known')
    clock.at += 1
    expect(await says('one')).toBe('out of reach')
    expect(await isolate().says('one')).toBe('out of reach')
  })

  it('that are none while the issuer is down are out of reach until it is up', async () => {
    down()
    const { says } = isolate()

    expect([await says('one'), await says('one'), await isolate().says('one')]).toEqual(
      Array(3).fill('out of reach'),
    )
    expect(readings()).toBe(1)
    up()
    clock.at += 5 * SECOND
    expect(await says('one')).toBe('known')
  })

  it('are asked for less and less often while the issuer is down', async () => {
    down()
    const { says } = isolate()

    for (let second = 0; second < 3600; second++) {
      await says('one')
      clock.at += SECOND
    }

    // 5, 10, 20 … 300 seconds apart.
    expect(readings()).toBe(17)
  })

  it('cost an issuer that takes all its time the one who reads, and no other', async () => {
    const { says } = isolate()
    await says('one')
    clock.at += 10 * MINUTE
    const held = Promise.withResolvers<Response>()
    network.answers[METADATA] = () => held.promise

    const reader = says('one')
    const others = await Promise.all([says('one'), says('one'), isolate().says('one')])
    expect(others).toEqual(Array(3).fill('known'))
    held.reject(new Error('timeout'))
    expect(await reader).toBe('known')
    expect(readings()).toBe(2)
  })
})

describe('a key that is not among those of an issuer', () => {
  it('has them read again, once for all and for a while', async () => {
    const [first, second] = [isolate(), isolate()]
    await first.says('one')
    await second.says('one')

    for (let at = 0; at < 20; at++) expect(await first.says(`x${at}`)).toBeNull()
    for (let at = 0; at < 20; at++) expect(await second.says(`y${at}`)).toBeNull()
    expect(readings()).toBe(2)
    clock.at += 30 * SECOND
    for (let at = 0; at < 20; at++) expect(await first.says(`z${at}`)).toBeNull()
    expect(readings()).toBe(3)
  })

  it('is known at once if it is new', async () => {
    const [first, second] = [isolate(), isolate()]
    await Promise.all([first.says('one'), second.says('one')])
    network.json(JWKS, { keys: [one, two] })

    const said = await Promise.all(
      ['one', 'two', 'two', 'two'].flatMap((kid) => [first.says(kid), second.says(kid)]),
    )

    expect(said).toEqual(Array(8).fill('known'))
    expect(readings()).toBe(2)
  })

  it('is in doubt while the issuer is down, and the others are not', async () => {
    const { says } = isolate()
    await says('one')
    down()

    expect([await says('two'), await says('two'), await says('one')]).toEqual([
      'out of reach',
      'out of reach',
      'known',
    ])
    expect(readings()).toBe(2)
  })

  it('is in doubt while another takes long to read', async () => {
    const [first, second] = [isolate(), isolate()]
    await first.says('one')
    await second.says('one')
    const held = Promise.withResolvers<Response>()
    network.answers[METADATA] = () => held.promise

    const reader = first.says('two')
    expect(await second.says('two')).toBe('out of reach')
    held.resolve(Response.json({ issuer: ISSUER, jwks_uri: JWKS }))
    expect(await reader).toBeNull()
  })
})

describe('an issuer', () => {
  it('that nobody registered is asked for nothing, and looked up now and then', async () => {
    const { trusted, surroundings, seen } = isolate()
    const find = () => trusted.find('https://evil.dev', surroundings)

    expect([await find(), await find(), await find()]).toEqual([null, null, null])
    clock.at += 5 * SECOND
    expect(await find()).toBeNull()
    expect([seen.lookUps, network.asked]).toEqual([2, []])
  })

  it.each([
    '',
    'acme',
    'javascript:a',
    'https://',
    'https://a b',
    'https://ä.dev',
    `https://${'a'.repeat(501)}`,
    'https://a\0',
  ])('is not looked up under a name that none can have: %j', async (name) => {
    const { trusted, surroundings, seen } = isolate()

    expect(await trusted.find(name, surroundings)).toBeNull()
    expect(seen.lookUps).toBe(0)
  })

  it('that has not been seen yet is looked up no more often than the caller may', async () => {
    const { trusted, surroundings } = isolate()
    const busy = { ...surroundings, mayLookUp: async () => false }

    expect(await trusted.find(ISSUER, busy)).toBe('too many requests')
    await trusted.find(ISSUER, surroundings)
    clock.at += HOUR
    expect(await trusted.find(ISSUER, busy)).toMatchObject({ row: { id: 'iss_1' } })
  })

  it('that is removed is trusted for half a minute at most, whatever its tokens ask for', async () => {
    const { says } = isolate()
    await says('one')
    clock.at += 10 * MINUTE - 20 * SECOND
    await says('one')
    await remove()

    const said: unknown[] = []
    for (let second = 0; second < 31; second++) {
      said.push(await says('one'), await says('unknown'))
      clock.at += SECOND
    }

    expect([said[0], said.at(-2), said.at(-1)]).toEqual(['known', null, null])
  })

  it('that is registered again is another, with keys of its own', async () => {
    const { says } = isolate()
    await says('one')
    await remove()
    const again = await registered()
    const row = await again.select().from(issuers).get()
    if (row) await directory.insert(issuers).values({ ...row, id: 'iss_2' })
    down()

    clock.at += 30 * SECOND
    expect(await says('one')).toBe('out of reach')
  })
})
