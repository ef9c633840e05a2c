/** What a ledger answers: plain data, refusals as values, since an error loses its class over RPC. */
import type { FieldError } from '../openapi/common.ts'
import type { ProblemCode } from '../openapi/problems.ts'

export interface Refusal {
  readonly code: ProblemCode
  /** Our own words; never the customer's input. */
  readonly detail: string
  readonly errors?: FieldError[]
  readonly retryAfterSeconds?: number
}

/** The request rate after this call: `remaining` of `limit`, with more from `resetSeconds` on. */
export interface Rate {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

export type Outcome<T> = { ok: true; value: T } | { ok: false; refusal: Refusal }
export type Reply<T> = Outcome<T> & { rate: Rate }

export const done = <T>(value: T): Outcome<T> => ({ ok: true, value })
export const refused = (code: ProblemCode, detail: string, more: Omit<Refusal, 'code' | 'detail'> = {}) => ({
  ok: false as const,
  refusal: { code, detail, ...more },
})
