/** What operators have decided about taking work in: how requests go by it, and who is told when it changes. */
import type { Context } from 'hono'
import { freshOrders, knownOrders } from '../ledger/directory/orders.ts'
import { findLedgerName } from '../ledger/directory/tenants.ts'
import { concerning, type Orders } from '../ledger/orders.ts'
import { callLedger, outOfReach } from './ledgers.ts'
import type { GatewayContext } from './router.ts'

/** As far as they concern the caller's tenant; a few seconds old at most. */
export async function standingOrders(c: Context<GatewayContext>): Promise<Orders> {
  const orders = await knownOrders(c.env.DIRECTORY, Date.now()).catch(outOfReach)
  return concerning(orders, c.var.principal.tenantId ?? '')
}

/**
 * After a change. This isolate goes by it from now on, and so does the ledger of the tenant that it is about; with null all others
 * learn of it within seconds.
 */
export async function tellOrders(c: Context<GatewayContext>, tenantId: string | null): Promise<void> {
  const now = Date.now()
  const orders = await freshOrders(c.env.DIRECTORY, now).catch(outOfReach)
  const name = tenantId && (await findLedgerName(c.env.DIRECTORY, tenantId, now).catch(outOfReach))
  if (name) await callLedger(c.env, name, (ledger) => ledger.hear(orders))
}
