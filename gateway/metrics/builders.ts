/** How families are made of sums. */
import type { FigureSum } from '../../ledger/directory/figure-sums.ts'
import type { Family, Labels, Sample } from './exposition.ts'

/** A sum of the work of one kind at one model. */
export type WorkSum = FigureSum & { readonly kind: string; readonly model: string }

export const workSums = (sums: readonly FigureSum[]): WorkSum[] =>
  sums.flatMap((sum) => {
    const { kind, model } = sum
    return kind === null || model === null ? [] : [{ ...sum, kind, model }]
  })

const family = (type: 'counter' | 'gauge', name: string, help: string, samples: readonly Sample[]) => ({
  name: `gateway_${name}`,
  type,
  help,
  samples,
})

export const counter = (name: string, help: string, samples: readonly Sample[]): Family =>
  family('counter', name, help, samples)

export const usdCounter = (name: string, help: string, microUsd: readonly Sample[]): Family => ({
  ...family(
    'counter',
    name,
    help,
    microUsd.map(({ labels, value }) => ({ labels, value: value / 1_000_000 })),
  ),
  unit: 'usd',
})

export const gauge = (name: string, help: string, value: number | readonly Sample[]): Family =>
  family('gauge', name, help, typeof value === 'number' ? only(value) : value)

export const seconds = (name: string, help: string, value: number | readonly Sample[]): Family => ({
  ...gauge(name, help, value),
  unit: 'seconds',
})

const only = (value: number): Sample[] => [{ labels: {}, value }]

/** Over everything that has a histogram of this name in its figures. */
export function histogram(
  sums: readonly FigureSum[],
  name: string,
  help: string,
  member: string,
  bounds: readonly number[],
): Family {
  const totalAt = (path: string, key: string) =>
    sums.reduce((total, sum) => total + (sum.path === path && sum.key === key ? sum.total : 0), 0)
  const buckets = Array.from({ length: bounds.length + 1 }, (_, nth) =>
    totalAt(`$.${member}.buckets`, String(nth)),
  )
  const sum = totalAt(`$.${member}`, 'sumMs') / 1000
  return {
    name: `gateway_${name}`,
    type: 'histogram',
    help,
    unit: 'seconds',
    histogram: { bounds, buckets, sum },
  }
}

/** A sample for each set of labels, of all sums that have it; those of `known` are there with 0 if none has. */
export function samplesOf<S extends { readonly total: number }>(
  sums: readonly S[],
  labelsOf: (sum: S) => Labels[],
  known: readonly Labels[] = [],
): Sample[] {
  const pairs = sums.flatMap((sum) => labelsOf(sum).map((labels) => ({ labels, value: sum.total })))
  const all = [...known.map((labels) => ({ labels, value: 0 })), ...pairs]
  return [...Map.groupBy(all, ({ labels }) => JSON.stringify(labels)).values()].flatMap((alike) => {
    const value = alike.reduce((total, one) => total + one.value, 0)
    return alike.slice(0, 1).map(({ labels }) => ({ labels, value }))
  })
}

/** Seconds since then; 0 where there is nothing. Clocks of two machines differ a little. */
export const age = (at: number | null, now: number) => (at === null ? 0 : Math.max(0, now - at) / 1000)
