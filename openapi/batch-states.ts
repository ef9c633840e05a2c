/** The words that batches are spoken of in. */
import { failureClasses } from './job-words.ts'

export const batchStatuses = [
  'accepted',
  'processing',
  'completed',
  'partially_failed',
  'failed',
  'expired',
  'cancelled',
  'discarded',
] as const
export type BatchStatus = (typeof batchStatuses)[number]

export const batchStatusReasons = [
  'planning',
  'submitting',
  'waiting_for_provider',
  'stalled',
  'collecting',
  'running_individually',
  'invalid_items',
] as const
export type BatchStatusReason = (typeof batchStatusReasons)[number]

/** `unknown`: it was sent, and nobody can find out whether it arrived. */
export const chunkStates = [
  'planned',
  'submitting',
  'submitted',
  'collected',
  'failed',
  'unknown',
  'cancelled',
] as const
export type ChunkState = (typeof chunkStates)[number]

export const itemStatuses = ['pending', 'succeeded', 'failed', 'cancelled', 'expired'] as const
export type ItemStatus = (typeof itemStatuses)[number]

/** What an item can fail of: what a job can, and what only happens to items of a batch. */
export const itemClasses = [...failureClasses, 'missing_result', 'duplicate_result'] as const
export type ItemClass = (typeof itemClasses)[number]
