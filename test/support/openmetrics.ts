/**
 * A strict reader of OpenMetrics 1.0 text, written from the specification's grammar and its rules for families, and from nothing of
 * ours: anything that is not to the letter throws. Timestamps and exemplars, which we never send, are not taken either.
 */

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Family {
  readonly name: string
  type: string | null
  unit: string | null
  help: string | null
  readonly samples: Sample[]
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const TEXT = String.raw`(?:[^\n"\\]|\\[n"\\])*`
const LABEL = `([a-zA-Z_][a-zA-Z0-9_]*)="(${TEXT})"`
const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`
const metadata = new RegExp(`^# (TYPE|UNIT|HELP) (${NAME}) (.*)$`)
const sampleLine = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)?\\})? (${NUMBER}|\\+Inf)$`)
const helpText = /^(?:[^\n\\]|\\[n"\\])*$/
const types = ['counter', 'gauge', 'histogram', 'gaugehistogram', 'stateset', 'info', 'summary', 'unknown']

/** What may follow the family's name in those of its samples. */
const suffixes: Readonly<Record<string, readonly string[]>> = {
  counter: ['_total', '_created'],
  gauge: [''],
  histogram: ['_bucket', '_count', '_sum', '_created'],
}

export function parseOpenMetrics(text: string): Map<string, Family> {
  if (!text.endsWith('\n# EOF\n')) fail('It does not end with the EOF marker and a line feed.')
  const families = new Map<string, Family>()
  let current: Family | null = null
  for (const line of text.slice(0, -'\n# EOF\n'.length).split('\n')) {
    const [, keyword, name = '', rest = ''] = metadata.exec(line) ?? []
    if (keyword) current = describe(families, current, keyword, name, rest)
    else addSample(current, line)
  }
  checkNames([...families.values()])
  for (const family of families.values()) check(family)
  return families
}

const fail = (why: string): never => {
  throw new Error(why)
}

function describe(
  families: Map<string, Family>,
  current: Family | null,
  keyword: string,
  name: string,
  rest: string,
): Family {
  const family = current?.name === name ? current : begun(families, name)
  if (family.samples.length > 0) fail(`${name} is described after its samples.`)
  const member = ({ TYPE: 'type', UNIT: 'unit', HELP: 'help' } as const)[keyword] ?? fail(keyword)
  if (family[member] !== null) fail(`${name} has its ${keyword} twice.`)
  if (member === 'type' && !types.includes(rest)) fail(`${name} has the type ${rest}.`)
  if (member === 'unit' && !name.endsWith(`_${rest}`)) fail(`${name} does not end with its unit ${rest}.`)
  if (member === 'help' && !helpText.test(rest)) fail(`${name} has a help text that is not escaped.`)
  family[member] = rest
  return family
}

function begun(families: Map<string, Family>, name: string): Family {
  if (families.has(name)) fail(`${name} is not in one piece.`)
  const family = { name, type: null, unit: null, help: null, samples: [] }
  families.set(name, family)
  return family
}

function addSample(family: Family | null, line: string): void {
  const found = sampleLine.exec(line) ?? fail(`Not a sample: ${JSON.stringify(line)}`)
  const [, name = '', pairs = ''] = found
  const known = suffixes[family?.type ?? ''] ?? fail(`The type of ${name} is not known before it.`)
  if (!family || !known.some((suffix) => name === family.name + suffix)) fail(`${name} is out of its family.`)
  const labels = labelsOf(pairs, line)
  const value = found.at(-1) === '+Inf' ? Number.POSITIVE_INFINITY : Number(found.at(-1))
  family?.samples.push({ name, labels, value })
}

function labelsOf(pairs: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {}
  for (const [, name = '', text = ''] of pairs.matchAll(new RegExp(LABEL, 'g'))) {
    if (name in labels || name.startsWith('__')) fail(`A label that may not be there: ${line}`)
    labels[name] = text.replaceAll(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char))
  }
  return labels
}

/** A family's name may not be that of another's samples. */
function checkNames(families: readonly Family[]): void {
  const taken = families.flatMap(({ name, type }) =>
    (suffixes[type ?? ''] ?? fail(`${name} has no type.`)).map((suffix) => name + suffix),
  )
  const all = new Set([...taken, ...families.filter(({ type }) => type !== 'gauge').map(({ name }) => name)])
  if (all.size !== taken.length + families.filter(({ type }) => type !== 'gauge').length)
    fail('Two families can have samples of one name.')
}

const keyOf = ({ name, labels }: Sample) =>
  JSON.stringify([name, ...Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1))])

function check(family: Family): void {
  const { name, type, samples } = family
  const keys = samples.map(keyOf)
  if (new Set(keys).size !== keys.length) fail(`${name} has two samples with the same labels.`)
  const isCount = type === 'counter' || type === 'histogram'
  if (isCount && samples.some(({ value }) => value < 0)) fail(`${name} has a negative count.`)
  if (type === 'histogram') checkHistogram(family)
}

/** Without labels of its own, as ours are: one histogram in a family. */
function checkHistogram({ name, samples }: Family): void {
  const buckets = samples.filter((sample) => sample.name === `${name}_bucket`)
  const bounds = buckets.map(({ labels: { le = '' } }) => le)
  if (bounds.at(-1) !== '+Inf') fail(`${name} has no last bucket without a bound.`)
  if (bounds.slice(0, -1).some((bound) => !/^\d+\.\d+$/.test(bound)))
    fail(`${name} has a bound that is no float.`)
  const limits = bounds.map((bound) => (bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound)))
  if (!isGrowing(limits, (a, b) => a < b)) fail(`${name} has bounds out of order.`)
  if (
    !isGrowing(
      buckets.map(({ value }) => value),
      (a, b) => a <= b,
    )
  )
    fail(`${name} does not add up.`)
  const [count, sum] = ['_count', '_sum'].map((suffix) => samples.filter((one) => one.name === name + suffix))
  if (count?.length !== 1 || count[0]?.value !== buckets.at(-1)?.value) fail(`${name} has another count.`)
  if (sum?.length !== 1) fail(`${name} has no sum.`)
}

const isGrowing = (values: readonly number[], follows: (a: number, b: number) => boolean) =>
  values.every((value, nth) => nth === 0 || follows(values[nth - 1] ?? 0, value))
