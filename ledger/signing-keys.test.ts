import { beforeEach, describe, expect, it } from 'vitest'
import { findEndpoint, readEndpoint, recipientOf } from './endpoints.ts'
import type { SigningKey } from './schema.ts'
import { listPublicKeys, rotateSecret } from './signing-keys.ts'
import { memoryStore } from './sqlite.fixture.ts'
import type { Db } from './store.ts'
import { addEndpoint, contextOf, NOW } from './webhook-rows.fixture.ts'

const HOUR = 3_600_000
let db: Db
beforeEach(() => {
  db = memoryStore()
})

const key = (name: string, expiresAt: number | null = null): SigningKey => ({
  id: `whk_${name}`,
  sealedSecret: `secret ${name}`,
  sealedSeed: `seed ${name}`,
  publicKey: `whpk_${name}`,
  createdAt: NOW,
  expiresAt,
})

const withKeys = (...keys: SigningKey[]) => addEndpoint(db, 'we_a', { signing: 'both', keys })

/** `hours`: how long the older ones sign beside it. */
const rotated = (name: string, hours: number, now = NOW) =>
  rotateSecret(contextOf(db, now), { id: `whk_${name}`, key: null }, 'we_a', key(name), hours * HOUR)

const onRecord = () => findEndpoint(db, 'we_a')?.keys.map(({ id, expiresAt }) => [id, expiresAt])

/** What signs, and what is shown to verify, which is the same. */
function signing(now: number): string[] {
  const endpoint = findEndpoint(db, 'we_a')
  const signs = endpoint ? recipientOf(endpoint, now).keys.map(({ sealedSecret }) => sealedSecret) : []
  const names = signs.map((secret) => secret.replace('secret ', 'whpk_'))
  const listed = listPublicKeys(db, null, 50, now).keys.map(({ publicKey }) => publicKey)
  expect(listed.toSorted()).toEqual(names.toSorted())
  expect(readEndpoint(db, 'we_a', now)).toMatchObject({ value: { publicKeys: names } })
  return signs
}

describe('a rotation', () => {
  it('lets the older secret sign beside the new one until the overlap is over, and not a moment longer', () => {
    withKeys(key('old'))
    const outcome = rotated('new', 1)

    expect(outcome).toMatchObject({ value: { value: { publicKeys: ['whpk_new', 'whpk_old'] } } })
    expect(signing(NOW + HOUR - 1)).toEqual(['secret new', 'secret old'])
    expect(signing(NOW + HOUR)).toEqual(['secret new'])
  })

  it('without an overlap ends the older ones at once, and forgets them', () => {
    withKeys(key('old'))
    const outcome = rotated('new', 0)

    expect(outcome).toMatchObject({ value: { value: { publicKeys: ['whpk_new'] } } })
    expect(onRecord()).toEqual([['whk_new', null]])
  })

  it('lets none live longer than it had, and forgets what has expired', () => {
    withKeys(key('c'), key('b', NOW + HOUR), key('a', NOW - 1))
    rotated('d', 2)

    expect(onRecord()).toEqual([
      ['whk_d', null],
      ['whk_c', NOW + 2 * HOUR],
      ['whk_b', NOW + HOUR],
    ])
  })

  it('is refused where it would make an eleventh secret valid, not a tenth', () => {
    withKeys(key('0'))
    for (let nth = 1; nth < 10; nth++) expect(rotated(`${nth}`, 1)).toMatchObject({ ok: true })

    expect(rotated('eleventh', 1)).toMatchObject({
      ok: false,
      refusal: { errors: [{ pointer: '/overlap_seconds' }] },
    })
    expect(onRecord()).toHaveLength(10)
    expect(rotated('only', 0)).toMatchObject({ ok: true })
  })

  it('is one when the call is made again, since its reply was lost', () => {
    withKeys(key('old'))
    const [first, again] = [rotated('new', 1), rotated('new', 1, NOW + 5000)]

    expect(again).toEqual(first)
    expect(onRecord()).toEqual([
      ['whk_new', null],
      ['whk_old', NOW + HOUR],
    ])
  })

  it('of an endpoint that is not there is none', () => {
    expect(rotated('new', 1)).toMatchObject({ ok: false, refusal: { code: 'not-found' } })
  })
})
