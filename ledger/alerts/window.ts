/** What has come to counters within a window: samples of them are kept, few enough to lie in one row. */
import { z } from '@hono/zod-openapi'
import { Counters, type ModelCounts, type WebhookCounts } from './reading.ts'

/** Counters as they were at a moment. */
export const Sample = z.object({ at: z.int(), counters: Counters })
export type Sample = z.infer<typeof Sample>

/** In a window; so it is at most so much longer than was asked for. */
const SAMPLES = 12

/** What the present is held against: the newest sample that is a window old, or else the oldest there is. */
export const baseline = (samples: readonly Sample[], now: number, windowMs: number): Sample | undefined =>
  samples.findLast(({ at }) => at <= now - windowMs) ?? samples[0]

/** The samples to keep, oldest first; the same list where nothing changes. */
export function keptSamples(
  samples: readonly Sample[],
  counters: Counters,
  now: number,
  windowMs: number,
): readonly Sample[] {
  const last = samples.at(-1)
  if (last && now - last.at < windowMs / SAMPLES) return samples
  const from = baseline(samples, now, windowMs)?.at ?? now
  return [...samples.filter(({ at }) => at >= from), { at: now, counters }]
}

export interface Growth {
  /** By the model's name. */
  readonly models: ReadonlyMap<string, ModelCounts>
  readonly webhooks: WebhookCounts
}

/** Counters can fall, with a tenant that is deleted or a ledger that is restored: that is no growth. */
export function growth(before: Counters, { models, webhooks }: Counters): Growth {
  const grown = Object.entries(models).map(
    ([name, counts]) => [name, difference(counts, before.models[name])] as const,
  )
  return { models: new Map(grown), webhooks: difference(webhooks, before.webhooks) }
}

const difference = <C extends object>(counts: C, before: C | undefined): C =>
  Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [
      name,
      Math.max(0, count - ((before?.[name as keyof C] as number | undefined) ?? 0)),
    ]),
  ) as C
