/** Whether work may start as catalog, deployment and operators have it. Pure. */

import type { KindName } from '../catalog/kind.ts'
import { allowedCombinations, type Confidentiality, isAllowed } from '../catalog/models.ts'
import type { LedgerContext } from './context.ts'
import { isHeld, type Orders } from './orders.ts'

interface Startable {
  readonly model: string
  readonly kind: KindName
  readonly confidentiality: Confidentiality
}

type Standing = Pick<LedgerContext, 'identity' | 'orders' | 'settings'>

/** One piece of work. */
export const mayStart = (
  { identity: { tenantId }, orders, settings }: Standing,
  { model, kind, confidentiality }: Startable,
): boolean =>
  isAllowed(settings.providers, orders.models, model, kind, confidentiality) &&
  !isHeld(orders, { tenantId, kind, model })

/** All of it, for a database to filter by: see `allowedCombinations`. Made anew for new orders only. */
export class StartableWork {
  #orders: Orders | null = null
  #combinations = '[]'

  of({ identity: { tenantId }, orders, settings }: Standing): string {
    if (this.#orders !== orders) {
      const held = (model: string, kind: KindName) => isHeld(orders, { tenantId, kind, model })
      this.#combinations = allowedCombinations(settings.providers, orders.models, held)
      this.#orders = orders
    }
    return this.#combinations
  }
}
