/** The files that an item names: whether they can be taken, and what they add to it. Pure. */
import { estimateMicroUsd, tokensOfBytes } from '../../catalog/estimate.ts'
import { bytesOf, fileFaults } from '../file-fit.ts'
import type { LeasedFile } from '../file-inputs.ts'
import { faulty, type ItemFault } from './faults.ts'
import type { BatchItem, ItemRules } from './item.ts'

/** By ID, those that are there. */
export type Files = ReadonlyMap<string, LeasedFile>

/** Why the item's files cannot be taken; null when they can. */
export function fileFault(
  { reference, fileRefs }: BatchItem,
  rules: ItemRules,
  files: Files,
): ItemFault | null {
  const errors = fileFaults(rules.kind, rules.model, fileRefs, (id) => files.get(id))
  const places = errors.map(({ pointer = '', detail }) => ({ pointer, detail }))
  return places.length > 0 ? faulty(places, reference).fault : null
}

/** What an item is expected to take, with the content of its files. */
export function expectedOf({ inputTokens, fileRefs }: BatchItem, { kind, model }: ItemRules, files: Files) {
  const tokens =
    inputTokens +
    tokensOfBytes(
      kind,
      bytesOf(fileRefs, (id) => files.get(id)),
    )
  return { inputTokens: tokens, estimateMicroUsd: estimateMicroUsd(model, tokens) }
}
