/** The secrets of a tenant's endpoints as they lie here, for sealing them under another key: the ledger itself never opens one. */
import type { LedgerContext } from './context.ts'
import { changeEndpoint } from './endpoints.ts'
import { webhookEndpoints } from './schema.ts'
import type { Db } from './store.ts'

export interface SealedText {
  /** Who it was sealed for. */
  readonly endpointId: string
  readonly sealed: string
}

/** All of a tenant: a few for each endpoint, keys that sign no more among them. */
export const sealedTexts = (db: Db): SealedText[] =>
  endpointsWithSecrets(db).flatMap(({ id, keys, sealedHeaders }) =>
    [...keys.flatMap(({ sealedSecret, sealedSeed }) => [sealedSecret, sealedSeed]), sealedHeaders ?? []]
      .flat()
      .map((sealed) => ({ endpointId: id, sealed })),
  )

const endpointsWithSecrets = (db: Db) =>
  db
    .select({
      id: webhookEndpoints.id,
      keys: webhookEndpoints.keys,
      sealedHeaders: webhookEndpoints.sealedHeaders,
    })
    .from(webhookEndpoints)
    .all()

/** By the sealed text of before; what has been replaced meanwhile is left as it is. Answers how many were put in. */
export function replaceSealed({ db }: LedgerContext, replacements: ReadonlyMap<string, string>): number {
  let replaced = 0
  const newer = (sealed: string) => {
    const fresh = replacements.get(sealed)
    if (fresh !== undefined) replaced++
    return fresh ?? sealed
  }
  for (const { id, keys, sealedHeaders } of endpointsWithSecrets(db)) {
    const before = replaced
    const fresh = keys.map((key) => ({
      ...key,
      sealedSecret: newer(key.sealedSecret),
      sealedSeed: newer(key.sealedSeed),
    }))
    const change = { keys: fresh, sealedHeaders: sealedHeaders && newer(sealedHeaders) }
    if (replaced > before) changeEndpoint(db, id, change)
  }
  return replaced
}
