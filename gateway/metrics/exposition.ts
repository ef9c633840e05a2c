/** The text of a scrape: OpenMetrics 1.0. What the figures are is for others to say; here is only how they are written. */

export type Labels = Readonly<Record<string, string>>

/** A metric family. A counter's samples get their `_total`, and a family with a unit says it at the end of its name, as the format asks. */
export type Family = FamilyHead &
  (
    | { readonly type: 'counter' | 'gauge'; readonly samples: readonly Sample[] }
    | { readonly type: 'histogram'; readonly histogram: Histogram }
  )

interface FamilyHead {
  readonly name: string
  readonly help: string
  readonly unit?: 'seconds' | 'usd'
}

export interface Sample {
  readonly labels: Labels
  readonly value: number
}

export interface Histogram {
  /** Upper bounds of the buckets; one more, without a bound, follows. */
  readonly bounds: readonly number[]
  /** Of each bucket by itself, not added up. */
  readonly buckets: readonly number[]
  /** Of all that was observed, in the unit of the bounds. */
  readonly sum: number
}

export const EXPOSITION_TYPE = 'application/openmetrics-text'

export const exposition = (families: readonly Family[]): string =>
  `${families.flatMap(linesOf).join('\n')}\n# EOF\n`

const linesOf = (family: Family): string[] => [
  `# TYPE ${family.name} ${family.type}`,
  ...(family.unit ? [`# UNIT ${family.name} ${family.unit}`] : []),
  `# HELP ${family.name} ${escaped(family.help)}`,
  ...samplesOf(family),
]

function samplesOf(family: Family): string[] {
  if (family.type === 'histogram') return histogramLines(family.name, family.histogram)
  const name = family.type === 'counter' ? `${family.name}_total` : family.name
  return family.samples.map(({ labels, value }) => line(name, labels, value))
}

function histogramLines(name: string, { bounds, buckets, sum }: Histogram): string[] {
  let count = 0
  const lines = [...bounds, Number.POSITIVE_INFINITY].map((bound, nth) => {
    count += buckets[nth] ?? 0
    return line(`${name}_bucket`, { le: boundText(bound) }, count)
  })
  return [...lines, line(`${name}_count`, {}, count), line(`${name}_sum`, {}, sum)]
}

/** Bounds are floats to whoever compares them as text. */
function boundText(bound: number): string {
  if (bound === Number.POSITIVE_INFINITY) return '+Inf'
  return Number.isInteger(bound) ? `${bound}.0` : String(bound)
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' }
const escaped = (text: string) => text.replaceAll(/[\\"\n]/g, (char) => escapes[char] ?? char)
