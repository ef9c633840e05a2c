/**
 * Classification without a model: how much of what a label speaks of does the text speak of? By exact
 * features, not by hashed ones, as a label is too short to bear collisions.
 */
import { eachFeature } from './features.ts'

type Features = Map<string, number>

const TEMPERATURE = 0.12
/** Evidence, in weights of features, at which a likeness counts for half. */
const HALF_EVIDENCE = 0.5

/** Every label with its score, best first, equals in the order given; scores are in [0, 1] and sum to 1. */
export function classify(text: string, labels: string[]): { label: string; score: number }[] {
  const described = labels.map(featuresOfLabel)
  const shared = sharedFeatures(text, described)
  const exponentials = described.map((label) => Math.exp(likeness(shared, label) / TEMPERATURE))
  const sum = exponentials.reduce((total, value) => total + value, 0)
  return labels
    .map((label, at) => ({ label, score: (exponentials[at] ?? 0) / sum }))
    .sort((a, b) => b.score - a.score)
}

/** `refundRequest`, `refund_request` and `refund-request` are the words they are made of. */
function featuresOfLabel(label: string): Features {
  const phrase = label.replace(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ').replace(/[_\-./]+/g, ' ')
  return collect(phrase, () => true)
}

/** Only what some label speaks of, so that the other subjects of a text do not dilute the scores. */
function sharedFeatures(text: string, labels: Features[]): Features {
  const known = new Set(labels.flatMap((label) => [...label.keys()]))
  return collect(text, (feature) => known.has(feature))
}

function collect(text: string, wanted: (feature: string) => boolean): Features {
  const found: Features = new Map()
  eachFeature(text, (feature, weight) => {
    if (wanted(feature)) found.set(feature, (found.get(feature) ?? 0) + weight)
  })
  return found
}

/** The cosine of text and label, lower where there is little to go by. */
function likeness(text: Features, label: Features): number {
  const evidence = lengthOf(text)
  if (evidence === 0 || label.size === 0) return 0
  let product = 0
  for (const [feature, weight] of label) product += weight * (text.get(feature) ?? 0)
  return (product / (evidence * lengthOf(label))) * (evidence / (evidence + HALF_EVIDENCE))
}

function lengthOf(features: Features): number {
  return Math.sqrt([...features.values()].reduce((sum, weight) => sum + weight * weight, 0))
}
