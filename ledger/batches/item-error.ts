/** What a customer is told of an item that has no result: a job's classes, and what only happens to items of a batch. */
import type { ItemClass, ItemStatus } from '../../openapi/batch-states.ts'
import type { BatchItemError } from '../../openapi/batches.ts'
import { errorOf } from '../events.ts'

const own = {
  missing_result: 'The provider gave no result for the item.',
  duplicate_result: 'The provider gave more than one result for the item.',
} as const satisfies Partial<Record<ItemClass, string>>

const isOwn = (itemClass: ItemClass): itemClass is keyof typeof own => Object.hasOwn(own, itemClass)

/** The words are always ours. */
export const itemErrorOf = (itemClass: ItemClass): BatchItemError =>
  isOwn(itemClass) ? { class: itemClass, message: own[itemClass], retryable: true } : errorOf(itemClass)

/** The class of an item that has no result: of one that failed what it failed of, and of one that expired that its time ran out. */
export const classOf = (status: ItemStatus, failedOf: ItemClass | null): ItemClass | null =>
  status === 'expired' ? 'deadline_exceeded' : failedOf
