import { beforeEach, describe, expect, it } from 'vitest'
import { issuers } from '../../../ledger/directory/schema.ts'
import { ISSUER, registered } from './issuer.fixture.ts'
import {
  clock,
  directory,
  down,
  HOUR,
  isolate,
  MINUTE,
  network,
  prepare,
  remove,
  SECOND,
} from './trusted.fixture.ts'

beforeEach(prepare)

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
