/**
 * Chooses the sentences that together cover most of what a text speaks of. A term weighs by how many
 * sentences have it, and little once a chosen one has said it, so that a summary does not repeat itself.
 */
import type { Room } from './cut.ts'

/** A sentence, the first at position 0. `closed` ends in a full stop or the like, `leaning` points back. */
export type Candidate = {
  text: string
  position: number
  /** Distinct. */
  terms: string[]
  words: number
  characters: number
  closed: boolean
  leaning: boolean
}

/** Bounds the choice, which looks at every candidate again for each sentence it takes. */
const MOST_CANDIDATES = 400
/** A term that only one sentence has. */
const LONE_TERM_WEIGHT = 0.4
const REPEATED_TERM_SHARE = 0.15
/** A sentence that adds less than this share of the first one's gain is padding. */
const LEAST_GAIN_SHARE = 0.3
const LENGTH_EXPONENT = 0.75
const LEAD_BONUS = 0.5
/** With so many terms a sentence counts for half of their weight; shorter ones are mostly asides. */
const HALF_SAID_TERMS = 3
const UNCLOSED_SHARE = 0.5
const LEANING_SHARE = 0.7
const SEPARATOR_CHARACTERS = 1

/** The best candidates that fit the room together, in the order of the text. */
export function choose(candidates: Candidate[], room: Room): Candidate[] {
  const weights = weigh(candidates)
  const chosen: Candidate[] = []
  let rest = room
  let left = shortlist(fitting(candidates, rest), weights)
  let next = best(left, weights)
  const least = next ? gain(next, weights) * LEAST_GAIN_SHARE : 0
  while (next && gain(next, weights) >= least) {
    chosen.push(next)
    for (const term of next.terms) weights.set(term, (weights.get(term) ?? 0) * REPEATED_TERM_SHARE)
    rest = after(next, rest)
    left = fitting(left, rest).filter((candidate) => candidate !== next)
    next = best(left, weights)
  }
  return chosen.sort((a, b) => a.position - b.position)
}

function fitting(candidates: Candidate[], room: Room): Candidate[] {
  return candidates.filter((one) => one.words <= room.words && one.characters <= room.characters)
}

function after({ words, characters }: Candidate, room: Room): Room {
  return { words: room.words - words, characters: room.characters - characters - SEPARATOR_CHARACTERS }
}

function weigh(candidates: Candidate[]): Map<string, number> {
  const weights = new Map<string, number>()
  for (const { terms } of candidates) {
    for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + 1)
  }
  for (const [term, count] of weights) weights.set(term, Math.log(count) + LONE_TERM_WEIGHT)
  return weights
}

function shortlist(candidates: Candidate[], weights: Map<string, number>): Candidate[] {
  if (candidates.length <= MOST_CANDIDATES) return candidates
  const gains = new Map(candidates.map((candidate) => [candidate, gain(candidate, weights)]))
  return candidates.sort((a, b) => (gains.get(b) ?? 0) - (gains.get(a) ?? 0)).slice(0, MOST_CANDIDATES)
}

function best(candidates: Candidate[], weights: Map<string, number>): Candidate | undefined {
  let [found, most] = [candidates[0], -1]
  for (const candidate of candidates) {
    const gained = gain(candidate, weights)
    if (gained > most) [found, most] = [candidate, gained]
  }
  return found
}

/** How much a sentence says that is new, for its length; the lead of a text says more of it than the rest. */
function gain({ terms, words, position, closed, leaning }: Candidate, weights: Map<string, number>): number {
  let weight = 0
  for (const term of terms) weight += weights.get(term) ?? 0
  const density =
    (weight / Math.max(1, words) ** LENGTH_EXPONENT) * (terms.length / (terms.length + HALF_SAID_TERMS))
  const lead = 1 + LEAD_BONUS / Math.sqrt(1 + position)
  return density * lead * (closed ? 1 : UNCLOSED_SHARE) * (leaning ? LEANING_SHARE : 1)
}
