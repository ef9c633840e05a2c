/**
 * Which answer belongs to which item of a chunk. Our own key decides; the provider's index is a cross-check, and takes the place of
 * a key only where the provider never contradicts itself.
 */
import type { ItemAnswer } from '../batch-provider.ts'

export interface Match {
  readonly answers: readonly ItemAnswer[]
  /** Its key says one item and its index another: nobody knows whose answer it is. */
  readonly contradicts: boolean
}

export interface Matching {
  /** For each item, in their order. */
  readonly matches: readonly Match[]
  /** Answers that are no item's of the chunk. */
  readonly unknown: number
}

/** `keys` are those of the items, in the order in which they were sent. */
export function matchAnswers(keys: readonly string[], answers: readonly ItemAnswer[]): Matching {
  const places = new Map(keys.map((key, place) => [key, place]))
  const contradicts = (answer: ItemAnswer) =>
    answer.reference !== null && answer.index !== null && places.get(answer.reference) !== answer.index
  const isConsistent = !answers.some((answer) => isKnown(answer, places) && contradicts(answer))
  const placeOf = ({ reference, index }: ItemAnswer) =>
    reference !== null ? places.get(reference) : isConsistent ? (index ?? undefined) : undefined
  const byPlace = Map.groupBy(answers, placeOf)
  const matches = keys.map((_, place) => {
    const ofItem = byPlace.get(place) ?? []
    return { answers: ofItem, contradicts: ofItem.some(contradicts) }
  })
  return { matches, unknown: answers.length - matches.reduce((sum, match) => sum + match.answers.length, 0) }
}

const isKnown = ({ reference }: ItemAnswer, places: ReadonlyMap<string, number>) =>
  reference !== null && places.has(reference)
