/** What may become of a document since the last release, and what has to be said about it in CHANGES.md. */
import { isDeepStrictEqual } from 'node:util'
import { breakingChanges } from './changes.ts'
import type { Document } from './documents.ts'

export type Complaint = { readonly file: string; readonly place: string; readonly message: string }

type Case = {
  /** The name of the document's file. */
  readonly file: string
  readonly released: Document
  readonly document: Document
  readonly changelog: string
}

const parts = (version: string) => version.split('.').map(Number)

export function compareVersions(one: string, other: string): number {
  const [a, b] = [parts(one), parts(other)]
  return a.map((part, index) => part - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0
}

/** Semantic versions: a new major version, or before 1.0 a new minor one. */
export function mayBreak(released: string, now: string): boolean {
  const [major = 0, minor = 0] = parts(released)
  const [nowMajor = 0, nowMinor = 0] = parts(now)
  return nowMajor > major || (major === 0 && nowMajor === 0 && nowMinor > minor)
}

/** Whether a section of the changelog has at least one entry. */
export function hasEntry(changelog: string, title: string): boolean {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((one) => one.split(/\s/, 1)[0] === title)
  return section !== undefined && /^- \S/m.test(section)
}

/** Words may get better without being a change of the API. */
const words = ['description', 'summary', 'example', 'examples', 'info', 'servers', 'externalDocs']

/** What lies under these is named by customers' code, `description` as well. */
const naming = ['properties', 'schemas', 'parameters', 'headers', 'paths', 'webhooks', 'mapping', 'scopes']

export function withoutWords(node: unknown, names = false): unknown {
  if (Array.isArray(node)) return node.map((one) => withoutWords(one))
  if (typeof node !== 'object' || node === null) return node
  const kept = Object.entries(node).filter(([key]) => names || !words.includes(key))
  return Object.fromEntries(
    kept.map(([key, inner]) => [key, withoutWords(inner, !names && naming.includes(key))]),
  )
}

export function complaintsAbout({ file, released, document, changelog }: Case): Complaint[] {
  const [was, is] = [released.info.version, document.info.version]
  const grown = compareVersions(is, was)
  if (grown < 0)
    return [{ file, place: 'info.version', message: `is ${is}, though ${was} has been released` }]
  const told = hasEntry(changelog, grown > 0 ? is : 'Unreleased')
  const broken = breakingChanges(released, document)
  const untold = !told && !isDeepStrictEqual(withoutWords(released), withoutWords(document))
  return [
    ...(mayBreak(was, is) && told ? [] : broken.map((change) => ({ file, ...change }))),
    ...(untold ? [untoldIn(file, was, grown > 0 ? is : 'Unreleased')] : []),
  ]
}

const untoldIn = (file: string, was: string, title: string): Complaint => ({
  file: 'CHANGES.md',
  place: `## ${title}`,
  message: `has no entry, though ${file} is not what ${was} was`,
})
