/**
 * Standing orders: what operators have decided that holds for taking work in and for starting it. They have one revision, which grows
 * with each change, so whoever hears of them by several ways knows which is the newest. Pure.
 */
import { z } from '@hono/zod-openapi'

const Pause = z.object({
  /** Null for all tenants; so with kinds and models. */
  tenantId: z.string().nullable(),
  kind: z.string().nullable(),
  model: z.string().nullable(),
  /** What becomes of work that was accepted before: it is held, or runs. */
  acceptedWork: z.enum(['hold', 'run']),
})

export const Orders = z.object({
  revision: z.int(),
  pauses: z.array(Pause).readonly(),
  /** What was decided about models, by their IDs; the catalog speaks for all others. */
  models: z.record(z.string(), z.object({ version: z.string(), enabled: z.boolean() })),
})
export type Orders = z.infer<typeof Orders>

export const noOrders: Orders = { revision: 0, pauses: [], models: {} }

export interface Scope {
  readonly tenantId: string | null
  readonly kind: string | null
  readonly model: string | null
}

/** What is asked about: work of one tenant. */
export type Work = Readonly<Record<keyof Scope, string>>

const parts = ['tenantId', 'kind', 'model'] as const

const covers = (pause: Scope, work: Work) =>
  parts.every((part) => pause[part] === null || pause[part] === work[part])

/** Whether two scopes have work in common. */
export const meet = (one: Scope, other: Scope) =>
  parts.every((part) => one[part] === null || other[part] === null || one[part] === other[part])

/** Whether no such work is taken in. */
export const isPaused = ({ pauses }: Orders, work: Work) => pauses.some((pause) => covers(pause, work))

/** Whether such work does not start either, when it was accepted before. */
export const isHeld = ({ pauses }: Orders, work: Work) =>
  pauses.some((pause) => pause.acceptedWork === 'hold' && covers(pause, work))

/** As far as they concern a tenant. */
export const concerning = (orders: Orders, tenantId: string): Orders => ({
  ...orders,
  pauses: orders.pauses.filter((pause) => pause.tenantId === null || pause.tenantId === tenantId),
})

/** Whether both say the same, whenever they said it. */
export const agree = (one: Orders, other: Orders) => textOf(one) === textOf(other)

const textOf = ({ pauses, models }: Orders) => JSON.stringify([pauses, models])
