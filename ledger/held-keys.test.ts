import { beforeEach, describe, expect, it } from 'vitest'
import type { LedgerContext } from './context.ts'
import { abandonCall, beginCall, finishCall } from './held-keys.ts'
import type { Call } from './idempotency.ts'
import { done, refused } from './replies.ts'
import { idempotencyKeys } from './schema.ts'
import { memoryStore } from './sqlite.fixture.ts'
import type { Db } from './store.ts'

const now = 1_800_000_000_000
const key = { hash: 'hash', fingerprint: 'print' }
const first: Call = { id: 'first', key }
const second: Call = { id: 'second', key }
let db: Db

const at = (moment: number) => ({ db, now: moment }) as LedgerContext
const begin = (call: Call, moment = now) => beginCall(at(moment), call, () => done('work'))
const keptKeys = () => db.select().from(idempotencyKeys).all()

const begun = { ok: true, value: { begun: 'work' } }
const answered = (answer: string) => ({ ok: true, value: { answer } })
const inProgress = { ok: false, refusal: { code: 'idempotency-in-progress', retryAfterSeconds: 5 } }

beforeEach(() => {
  db = memoryStore()
})

describe('a call under a key', () => {
  it('begins once; another is told to wait until the lease has ended', () => {
    expect(begin(first)).toEqual(begun)

    expect(begin(second, now + 29_999)).toMatchObject(inProgress)
    expect(begin(second, now + 30_000)).toEqual(begun)
    expect(begin(first, now + 30_001)).toMatchObject(inProgress)
  })

  it('begins again when its own reply was lost', () => {
    begin(first)

    expect(begin(first)).toEqual(begun)
  })

  it('is answered alike from when it has finished', () => {
    begin(first)
    finishCall(at(now), first, '{"a":1}')

    for (const call of [first, second]) expect(begin(call, now + 60_000)).toEqual(answered('{"a":1}'))
  })

  it('that lost its key leaves the answer to whoever has it', () => {
    begin(first)
    begin(second, now + 30_000)
    finishCall(at(now), first, '"late"')
    abandonCall(at(now), first)

    expect(begin(first, now + 30_001)).toMatchObject(inProgress)
    finishCall(at(now), second, '"second"')
    finishCall(at(now), first, '"later"')
    expect(begin(first)).toEqual(answered('"second"'))
  })

  it('is free again when it was abandoned, but not once it is answered', () => {
    begin(first)
    abandonCall(at(now), first)
    expect(begin(second)).toEqual(begun)

    finishCall(at(now), second, '1')
    abandonCall(at(now), second)
    expect(begin(first)).toEqual(answered('1'))
  })

  it('is refused for another request, whether the first has finished or not', () => {
    const other = { id: 'other', key: { ...key, fingerprint: 'another' } }
    const reused = { ok: false, refusal: { code: 'idempotency-key-reused' } }
    begin(first)

    expect(begin(other)).toMatchObject(reused)
    expect(begin(other, now + 60_000)).toMatchObject(reused)
    finishCall(at(now), first, '1')
    expect(begin(other)).toMatchObject(reused)
  })

  it('that may not begin uses up no key', () => {
    const refusal = refused('not-found', 'There is no such thing.')

    expect(beginCall(at(now), first, () => refusal)).toEqual(refusal)
    expect(keptKeys()).toEqual([])
  })
})

describe('a call without a key', () => {
  it('begins whenever it comes, and leaves nothing behind', () => {
    const call: Call = { id: 'first', key: null }
    expect([begin(call), begin(call)]).toEqual([begun, begun])
    finishCall(at(now), call, '1')
    abandonCall(at(now), call)

    expect(keptKeys()).toEqual([])
  })
})
