/** W3C Trace Context, level 1: one trace from the request that made a job to its attempts and webhooks. */
import { hex } from './hex.ts'
import type { RandomBytes } from './ids.ts'

const shape = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/
const TRACE_BYTES = 16
const SPAN_BYTES = 8

/**
 * The `traceparent` of our own part in the caller's trace, or of a fresh trace where the caller sent none that can be read. A version
 * other than 00 counts as none.
 */
export function continueTrace(traceparent: string | null | undefined, random: RandomBytes): string {
  const [, traceId = hex(random(TRACE_BYTES)), flags = '01'] = shape.exec(traceparent ?? '') ?? []
  return `00-${traceId}-${hex(random(SPAN_BYTES))}-${flags}`
}

/** The trace's ID, for logs; null where there is none. */
export const traceIdOf = (traceparent: string | null): string | null =>
  shape.exec(traceparent ?? '')?.[1] ?? null
