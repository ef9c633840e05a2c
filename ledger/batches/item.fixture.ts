/** What an item is read by, and the line that it is read from. */
import type { KindName } from '../../catalog/kind.ts'
import { findModel, type Model } from '../../catalog/models.ts'
import type { ItemRules } from './item.ts'
import type { Line } from './lines.ts'

export const modelOf = (id: string): Model => {
  const model = findModel(id)
  if (!model) throw new Error(id)
  return model
}

export const rulesOf = (kind: KindName = 'summarize', rest: Partial<ItemRules> = {}): ItemRules => ({
  kind,
  model: modelOf('test/priced'),
  confidentiality: 'internal',
  retentionSeconds: 60,
  dimensions: null,
  ...rest,
})

export const lineOf = (source: string): Line => ({
  line: 1,
  at: 0,
  bytes: source.length,
  text: source,
  fault: null,
})
