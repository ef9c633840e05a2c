import { beforeEach, describe, expect, it } from 'vitest'
import { deskOn } from './desk.fixture.ts'
import type { Desk } from './desk.ts'
import { changeEndpoint } from './endpoints.ts'
import { memoryStorage } from './sqlite.fixture.ts'
import { type Db, openStore } from './store.ts'
import { subscription } from './subscriptions.ts'
import { standingOf } from './tenant-standing.fixture.ts'
import { addEndpoint } from './webhook-rows.fixture.ts'

let db: Db
let desk: Desk
beforeEach(() => {
  const storage = memoryStorage()
  db = openStore(storage, { calls: 0, rowsWritten: 0 })
  desk = deskOn(storage, db)
  desk.provision(standingOf())
  addEndpoint(db, 'we_a', { url: 'https://old.acme.com/' })
})

/** Moves the endpoint, and reads it in the same transaction. */
const moved = (then: (url: string | undefined) => void) =>
  desk.work(undefined, (ctx) => {
    changeEndpoint(ctx.db, 'we_a', { url: 'https://new.acme.com/' })
    then(subscription(ctx.db, 'we_a')?.url)
  })

describe('what memory took from a transaction', () => {
  it('stays when it commits', () => {
    moved(() => undefined)

    expect(subscription(db, 'we_a')?.url).toBe('https://new.acme.com/')
  })

  it('is forgotten when it is rolled back', () => {
    const failing = () =>
      moved((url) => {
        throw new Error(`seen: ${url}`)
      })

    expect(failing).toThrow('seen: https://new.acme.com/')
    expect(subscription(db, 'we_a')?.url).toBe('https://old.acme.com/')
  })
})
