/** What the operators' ledger is asked about alerts. */
import type { AlertStatus } from '../openapi/alert-words.ts'
import { type Checked, checkService } from './alerts/check.ts'
import type { Reading } from './alerts/reading.ts'
import { type AlertRow, listAlerts } from './alerts/rows.ts'
import type { Thresholds } from './alerts/thresholds.ts'
import { readRecipient } from './endpoints.ts'
import { LedgerObject } from './ledger-object.ts'
import { done, type Reply } from './replies.ts'
import type { SealedRecipient } from './webhooks/recipient.ts'

export abstract class AlertCalls extends LedgerObject {
  /** Draws the consequences of what was read of the whole service. */
  checkService(reading: Reading, thresholds: Thresholds): Reply<Checked> {
    return this.runtime.desk.admit((ctx) => done(checkService(ctx, reading, thresholds)))
  }

  /** To whom a test of one of operators' endpoints goes. */
  readRecipient(endpointId: string): Reply<SealedRecipient> {
    return this.runtime.desk.admit(({ db, now }) => readRecipient(db, endpointId, now))
  }

  /** Newest first; one more than `limit` where there are more. */
  listAlerts(status: AlertStatus | null, after: string | null, limit: number): Reply<AlertRow[]> {
    return this.runtime.desk.admit(({ db }) => done(listAlerts(db, status, after, limit)))
  }
}
