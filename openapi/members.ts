/**
 * Rules about which members come together, in the words of JSON Schema. They are said by `not`, which generators of code leave alone:
 * of an `anyOf` beside members they would make types that are of no use.
 */
type Rule =
  | { readonly required: string[]; readonly properties: Record<string, { enum?: unknown[] }> }
  | { readonly anyOf: Rule[] }

/** Linters ask that what is required is there to be required. */
export const allOf = (...names: readonly string[]): Rule => ({
  required: [...names],
  properties: Object.fromEntries(names.map((name) => [name, {}])),
})

export const someOf = (...names: readonly string[]): Rule => eitherOf(names.map((name) => allOf(name)))

/** Linters ask that a choice has two sides. */
function eitherOf<R>(rules: R[]): R | { anyOf: R[] } {
  const [only, ...more] = rules
  return only && more.length === 0 ? only : { anyOf: rules }
}

/** What a body is where all of these hold, and none of those that may not. */
export const where = ({ hold, fail = [] }: { hold: Rule[]; fail?: Rule[] }) => ({
  not: eitherOf<{ not: Rule } | Rule>([...hold.map((rule) => ({ not: rule })), ...fail]),
})
