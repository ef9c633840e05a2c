/** The asynchronous AI gateway for TypeScript: see the README. */
export type { CallOptions, PostOptions } from './core.ts'
export * from './errors.ts'
export { Gateway, type GatewayOptions } from './gateway.ts'
export * as operations from './generated/sdk.gen.ts'
export type * as schemas from './generated/types.gen.ts'
export type {
  Batch,
  BatchRequest,
  BatchResult,
  Job,
  JobRequest,
  JobResult,
  Kind,
  Outputs,
} from './kinds.ts'
export type { List, Page } from './list.ts'
export { type ProblemSlug, problemSlugs } from './problem-slugs.ts'
export type { BatchFilter, BatchItemFilter, BatchRerun } from './resources/batches.ts'
export type { DeliveryFilter } from './resources/deliveries.ts'
export type { EventFilter, FeedEvent } from './resources/events.ts'
export type { UploadOptions } from './resources/files.ts'
export type { JobFilter } from './resources/jobs.ts'
export type { RetryPolicy } from './retry.ts'
export type { WaitOptions } from './wait.ts'
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookFault,
  type WebhookHeaders,
  WebhookVerificationError,
} from './webhooks.ts'
