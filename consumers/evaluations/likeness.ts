/** How like two texts, or two sets of vectors, are. Pure. */
import { words } from '../providers/embedded/text.ts'

/** The words that both have, as the harmonic mean of the shares of either: 1 for the same words, in whatever order. */
export function overlap(one: string, other: string): number {
  const [a, b] = [words(one), words(other)]
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0
  const left = new Map<string, number>()
  for (const word of b) left.set(word, (left.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of a) {
    const count = left.get(word) ?? 0
    if (count > 0) shared++
    left.set(word, count - 1)
  }
  return (2 * shared) / (a.length + b.length)
}

const plain = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ')

/** The share of the phrases that the text holds, whatever their capitals and spaces. */
export function shareHeld(text: string, phrases: readonly string[]): number {
  const whole = plain(text)
  return phrases.filter((phrase) => whole.includes(plain(phrase).trim())).length / phrases.length
}

const product = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)

/** For each vector the place of the one that is nearest by its direction; none (-1) for one alone. */
export function nearest(vectors: readonly (readonly number[])[]): number[] {
  const lengths = vectors.map((vector) => Math.sqrt(product(vector, vector)))
  return vectors.map((vector, at) => {
    let [place, most] = [-1, Number.NEGATIVE_INFINITY]
    for (const [other, one] of vectors.entries()) {
      const likeness = other === at ? Number.NEGATIVE_INFINITY : product(vector, one) / (lengths[other] ?? 1)
      if (likeness > most) [place, most] = [other, likeness]
    }
    return place
  })
}

/** Of the texts that belong to others, the share whose nearest neighbour is one of those. */
export function shareTogether(neighbours: readonly number[], groups: readonly number[]): number {
  const sizes = new Map<number, number>()
  for (const group of groups) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  const places = groups.flatMap((group, at) => ((sizes.get(group) ?? 0) > 1 ? [at] : []))
  const found = places.filter((at) => groups[neighbours[at] ?? -1] === groups[at])
  return found.length / places.length
}
