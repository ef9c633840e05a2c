/** The end of everything that a tenant's jobs and batches left, by the product's own housekeeping. */

import type { Measure, Rig } from './rig.ts'
import { stored } from './stored.ts'
import { type Sizes, steps } from './times.ts'

export interface Deletion {
  readonly measures: readonly Measure[]
  /** Bytes on disk of the ledger: before, and after each step. */
  readonly bytes: readonly number[]
}

/** Lets time pass until nothing is left of `table`. */
export async function deleteAll(rig: Rig, tenantId: string, table: 'jobs' | 'batches'): Promise<Deletion> {
  const bytes = [await stored(rig)]
  const measures: Measure[] = []
  for (const ms of [steps.content, steps.events, steps.rows]) {
    measures.push(await rig.measure(() => rig.passTime(ms, tenantId)))
    bytes.push(await stored(rig))
  }
  const { rows } = await rig.look(tenantId)
  if (rows[table] > 0 || rows.events > 1 || rows.idempotency_keys > 0)
    throw new Error(`Something is kept for longer than was said: ${JSON.stringify(rows)}.`)
  return { measures, bytes }
}

/** Of each of so many. What is left at the end is the ledger's own. */
export function sizesOf({ bytes }: Deletion, many: number): Sizes {
  const [whole = 0, withoutContent = 0, withoutEvents = 0, nothing = 0] = bytes
  const each = (all: number) => Math.max(0, all - nothing) / many
  return {
    whole: each(whole),
    withoutContent: each(withoutContent),
    withoutEvents: each(withoutEvents),
  }
}
