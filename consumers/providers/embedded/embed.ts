/**
 * Sentence embeddings by feature hashing: no model and no vocabulary to load, and the same vector in every
 * isolate. They tell subjects apart by words, spelling and everyday topics, and know no deeper meaning.
 */
import { eachFeature } from './features.ts'

export const DEFAULT_DIMENSIONS = 256

/** By how much more or less than others a feature counts. */
export type Weigh = (feature: string) => number

const alike: Weigh = () => 1

/** For each text, in order, one vector of the given dimensions and of unit length (L2); never of zeros. */
export function embed(texts: string[], dimensions: number, weigh: Weigh = alike): number[][] {
  return texts.map((text) => vectorOf(text, dimensions, weigh))
}

const LONG = 8
const inLetters = /^word:([\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}].*)/u

/**
 * In scripts of letters, short words say little in any language, so that they count by the square of their length: that does without a list of
 * common words for each language.
 */
export const byLength: Weigh = (feature) => {
  const [, word] = inLetters.exec(feature) ?? []
  return word === undefined ? 1 : Math.min(1, word.length / LONG) ** 2
}

function vectorOf(text: string, dimensions: number, weigh: Weigh): number[] {
  const vector = new Array<number>(dimensions).fill(0)
  eachFeature(text, (feature, weight) => add(vector, feature, weight * weigh(feature)))

  // Nothing to go by, or features that cancel each other out: the text as a whole gives the direction.
  if (lengthOf(vector) < 1e-9) add(vector, text, 1)
  const length = lengthOf(vector)
  return vector.map((value) => round(value / length))
}

function add(vector: number[], feature: string, weight: number): void {
  const code = hash(feature)
  const place = (code >>> 1) % vector.length
  vector[place] = (vector[place] ?? 0) + (code & 1 ? weight : -weight)
}

/** Builds of the platform differ in the last digit of a logarithm; `+ 0` makes -0 the 0 that JSON has. */
function round(value: number): number {
  return Math.round(value * 1e8) / 1e8 + 0
}

function lengthOf(vector: number[]): number {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
}

/** FNV-1a over UTF-16 units, finished as MurmurHash3 is, since the low bits choose the place and sign. */
function hash(text: string): number {
  let code = 0x811c9dc5
  for (let at = 0; at < text.length; at++) code = Math.imul(code ^ text.charCodeAt(at), 0x01000193)
  code = Math.imul(code ^ (code >>> 16), 0x85ebca6b)
  code = Math.imul(code ^ (code >>> 13), 0xc2b2ae35)
  return (code ^ (code >>> 16)) >>> 0
}
