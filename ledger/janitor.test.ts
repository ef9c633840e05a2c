import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { HOUR_MS } from './content.ts'
import { doomedRefs, holdRefs } from './content-refs.ts'
import type { LedgerContext } from './context.ts'
import { expectContent, Janitor } from './janitor.ts'
import { readMeta, writeMeta } from './meta.ts'
import { memoryStore } from './sqlite.fixture.ts'
import type { Db } from './store.ts'

const hour = 490_000
beforeAll(() => void vi.spyOn(console, 'log').mockImplementation(() => undefined))
afterAll(() => vi.restoreAllMocks())

const at = (hours: number) => Math.round((hour + hours) * HOUR_MS)
const contextAt = (db: Db, now: number) => ({ db, now }) as LedgerContext
const settled = () => new Promise((resolve) => setTimeout(resolve, 20))

describe('large content that is about to be stored', () => {
  it.each([
    ['is looked for when its hour has been over for two', [0.5], 3, 3],
    ['shares the look with what comes in the same hour', [0, 0.99], 3, 3],
    ['gets a later look than what came before it', [0.5, 1.5, 2.5], 3, 5],
  ])('%s', (_, stored, next, last) => {
    const db = memoryStore()

    for (const hours of stored) expectContent(contextAt(db, at(hours)))

    expect(readMeta(db, 'looseContent')).toEqual({
      at: at(next),
      last: at(last),
      after: { in: '', file: '' },
    })
  })
})

/** A janitor over these keys, listed in pages of two, each call after `listing`, which may throw. */
function startJanitor(keys: string[], listing: () => void = () => undefined) {
  const db = memoryStore()
  const asked: (string | undefined)[] = []
  const bucket = {
    async list({ prefix = '', startAfter }: R2ListOptions) {
      listing()
      asked.push(startAfter)
      const found = keys.filter((key) => key.startsWith(prefix) && key > (startAfter ?? '')).sort()
      return { objects: found.slice(0, 2).map((key) => ({ key })), truncated: found.length > 2 }
    },
  } as unknown as R2Bucket
  const now = at(3)
  const janitor = new Janitor(db, bucket, (body) => body(contextAt(db, now)))
  expectContent(contextAt(db, at(0)))
  const look = async (moment = now) => {
    janitor.look('acme', moment)
    await settled()
  }
  return { db, asked, janitor, look, doomed: () => doomedRefs(db, now, 100) }
}

const key = (hours: number, name: string) => `t/acme/in/${hour + hours}/${name}`

describe('a look for content that no row names', () => {
  it('goes page by page through the hours that are over, and leaves what is held and what is young', async () => {
    const { db, look, doomed, janitor } = startJanitor([
      ...['a', 'b', 'c', 'held'].map((name) => key(-1, name)),
      key(0, 'd'),
      key(1, 'young'),
    ])
    holdRefs(db, 'job_a', [key(-1, 'held')])

    await look()

    expect(doomed().sort()).toEqual([key(-1, 'a'), key(-1, 'b'), key(-1, 'c'), key(0, 'd')])
    expect(readMeta(db, 'looseContent')).toMatchObject({ at: null, after: { in: key(0, 'd') } })
    expect(janitor.nextAt(at(3))).toBeNull()
  })

  it('is not due before its time', async () => {
    const { look, doomed, janitor } = startJanitor([key(-1, 'a')])

    await look(at(3) - 1)

    expect(doomed()).toEqual([])
    expect(janitor.nextAt(at(3) - 1)).toBe(at(3))
  })

  it('goes on where it failed, after a pause, and stays due until it went through', async () => {
    const keys = ['a', 'b', 'c', 'd', 'e'].map((name) => key(-1, name))
    let calls = 0
    const { db, asked, look, doomed, janitor } = startJanitor(keys, () => {
      if (++calls === 2) throw new Error('R2 is down.')
    })

    await look()
    expect(doomed()).toHaveLength(2)
    expect(readMeta(db, 'looseContent')).toMatchObject({ at: at(3) })
    expect(janitor.nextAt(at(3))).toBeGreaterThan(Date.now())
    await look(Date.now() + 6000)

    expect(doomed()).toEqual(keys)
    expect(asked.slice(0, 2)).toEqual([undefined, key(-1, 'b')])
    expect(readMeta(db, 'looseContent')).toMatchObject({ at: null })
  })

  it('for outputs begins again from the start the next day', async () => {
    const { db, look, doomed } = startJanitor([
      't/acme/out/job_a/1',
      't/acme/out/job_b/1',
      't/acme/out/job_b/2',
    ])
    db.run(
      sql`insert into jobs (id, kind, status, deadline_at, created_at, last_attempt_at, model, model_version, provider, priority,
        confidentiality, processing_version, created_by, retention_seconds, estimate_micro_usd, metadata, output_ref)
       values ('job_b', 'embed', 'succeeded', 1, 1, 1, 'm', '1', 'p', 'normal', 'internal', '1', 'c', 1, 1, '{}', 't/acme/out/job_b/2')`,
    )
    writeMeta(db, 'strayOutputs', { at: at(3), after: '' })

    await look()

    expect(doomed().sort()).toEqual(['t/acme/out/job_a/1', 't/acme/out/job_b/1'])
    expect(readMeta(db, 'strayOutputs')).toEqual({ at: at(27), after: '' })
  })
})
