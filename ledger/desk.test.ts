import { beforeEach, describe, expect, it } from 'vitest'
import { Desk } from './desk.ts'
import { changeEndpoint } from './endpoints.ts'
import { ledgerSettings } from './settings.ts'
import { memoryStorage } from './sqlite.fixture.ts'
import { type Db, openStore } from './store.ts'
import { subscription } from './subscriptions.ts'
import { standingOf } from './tenant-standing.fixture.ts'
import { addEndpoint } from './webhook-rows.fixture.ts'

const settings = ledgerSettings({
  PUBLIC_BASE_URL: 'https://api.acme.com',
  LEASE_SECONDS: '60',
  RETRY_BASE_MS: '1000',
  RETRY_CAP_MS: '60000',
  SWEEP_SECONDS: '30',
  ROLL_UP_SECONDS: '30',
  BATCH_POLL_MS: '1000',
  BATCH_POLL_CAP_MS: '10000',
  BATCH_STALLED_SECONDS: '60',
  BATCH_GRACE_SECONDS: '30',
  RUN_TIMEOUT_SECONDS: '10',
  DELETION_GRACE_SECONDS: '60',
  DELETION_QUIET_SECONDS: '90',
  PROVIDERS: 'embedded',
  ORDERS_SECONDS: '10',
})

let db: Db
let desk: Desk
beforeEach(() => {
  const [storage, costs] = [memoryStorage(), { calls: 0, rowsWritten: 0 }]
  db = openStore(storage, costs)
  desk = new Desk(storage, db, costs, settings, { asked: () => undefined, written: () => undefined })
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
