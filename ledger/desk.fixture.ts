/** A desk that tells nobody of what it does. */
import { Desk } from './desk.ts'
import { SETTINGS } from './settings.fixture.ts'
import { ledgerSettings } from './settings.ts'
import type { Db } from './store.ts'

export const deskOn = (storage: DurableObjectStorage, db: Db) =>
  new Desk({
    storage,
    db,
    costs: { calls: 0, rowsWritten: 0 },
    settings: ledgerSettings(SETTINGS),
    asked: () => undefined,
    written: () => undefined,
  })
