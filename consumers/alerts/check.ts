/** The minute's check of the service: what is read goes to the operators' ledger, which judges it and tells of it. */
import { z } from '@hono/zod-openapi'
import { Thresholds } from '../../ledger/alerts/thresholds.ts'
import { log } from '../../ledger/log.ts'
import { callOperators } from '../../ledger/operators.ts'
import { jsonVariable, parseVariables } from '../../ledger/settings.ts'
import { readService } from './read.ts'

const Variables = z.object({ ALERT_THRESHOLDS: jsonVariable(Thresholds) })

export const thresholdsOf = (env: object): Thresholds => parseVariables(Variables, env).ALERT_THRESHOLDS

/** Throws for thresholds that are wrong, and when the ledger cannot be called: there is nobody else to tell. */
export async function checkAlerts(env: ConsumersEnv): Promise<void> {
  const thresholds = thresholdsOf(env)
  const reading = await readService(env)
  const reply = await callOperators(env.LEDGERS, (ledger) => ledger.checkService(reading, thresholds))
  if (!reply.ok) throw new Error(reply.refusal.detail)
  const { opened, resolved, open } = reply.value
  if (opened + resolved > 0) log('alerts.changed', { opened, resolved, open })
}
