import { beforeEach, describe, expect, it } from 'vitest'
import { ISSUER, JWKS, METADATA } from './issuer.fixture.ts'
import {
  clock,
  down,
  HOUR,
  isolate,
  MINUTE,
  network,
  one,
  prepare,
  readings,
  SECOND,
  two,
  up,
} from './trusted.fixture.ts'

beforeEach(prepare)

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
