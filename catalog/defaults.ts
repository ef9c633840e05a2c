/** Which model work runs on that names none. Pure. */
import type { KindName } from './kind.ts'
import { kindOf } from './kinds.ts'
import { type Configured, findModel, isOffered, type Model, type ModelStates, models } from './models.ts'

const isChosen = ({ provider }: Model) => provider !== 'test'

/**
 * The kind's own default where that is on offer, else the first model that is and does the kind, the misbehaving ones aside. Where all
 * that could are disabled it is one of these, which will be refused for that; null where the deployment has none.
 */
export function defaultModelFor(kind: KindName, configured: Configured, states: ModelStates): Model | null {
  const able = models.filter(
    (model) => isChosen(model) && model.kinds.includes(kind) && configured.has(model.provider),
  )
  const own = findModel(kindOf(kind).defaultModel ?? '')
  const byRank = own && able.includes(own) ? [own, ...able] : able
  return byRank.find((model) => isOffered(model, configured, states)) ?? byRank[0] ?? null
}
