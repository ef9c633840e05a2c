/** From a line of a source to an item of a batch, or what is wrong with it: places and words of ours, never the content. Pure. */
import canonicalize from 'canonicalize'
import { estimateMicroUsd, tokensOfBytes } from '../../catalog/estimate.ts'
import { type KindName, saysTooLarge } from '../../catalog/kind.ts'
import { kindOf } from '../../catalog/kinds.ts'
import { type Confidentiality, type Model, maySee } from '../../catalog/models.ts'
import { type BatchItemBody, batchItems, ExternalReference } from '../../openapi/batch-items.ts'
import { fieldErrors, jsonPointer } from '../../openapi/field-errors.ts'
import { bytesOf, type FileRef, fileFaults } from '../file-fit.ts'
import type { LeasedFile } from '../file-inputs.ts'
import { sha256Hex } from '../hex.ts'
import type { Line } from './lines.ts'
import { MAX_LINE_BYTES } from './plan.ts'

/** What the batch says of all its items. */
export interface ItemRules {
  readonly kind: KindName
  readonly model: Model
  /** Of items that do not name their own. */
  readonly confidentiality: Confidentiality
  readonly retentionSeconds: number
}

export interface BatchItem {
  readonly reference: string
  /** Of its input, by RFC 8785. */
  readonly canonical: string
  readonly confidentiality: Confidentiality
  readonly retentionSeconds: number
  readonly fileRefs: readonly FileRef[]
  /** Estimated, without the files' content. */
  readonly inputTokens: number
}

export interface Place {
  /** JSON Pointer inside the item; empty for the item as a whole. */
  readonly pointer: string
  readonly detail: string
}

export interface ItemFault {
  readonly class: 'invalid_input' | 'input_too_large'
  /** Where it has the form of one. */
  readonly reference: string | null
  readonly errors: readonly Place[]
}

export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: ItemFault }

export const faulty = (
  errors: readonly Place[],
  reference: string | null = null,
  failure: ItemFault['class'] = 'invalid_input',
) => ({ ok: false, fault: { class: failure, reference, errors } }) as const

const lineFaults = {
  not_utf8: faulty([{ pointer: '', detail: 'Not UTF-8.' }]),
  too_large: faulty(
    [{ pointer: '', detail: `Longer than ${MAX_LINE_BYTES} bytes.` }],
    null,
    'input_too_large',
  ),
}

/** The item that a line holds. */
export function readLine(line: Line, rules: ItemRules): Read<BatchItem> {
  if (line.fault !== null) return lineFaults[line.fault]
  try {
    return readItem(JSON.parse(line.text), rules)
  } catch (error) {
    if (error instanceof SyntaxError) return faulty([{ pointer: '', detail: 'Not JSON.' }])
    throw error
  }
}

/** The item that a JSON value is. */
export function readItem(value: unknown, rules: ItemRules): Read<BatchItem> {
  const parsed = batchItems[rules.kind].safeParse(value)
  if (parsed.success) return checkedItem(parsed.data, rules)
  const { issues } = parsed.error
  const errors = fieldErrors(issues, (path) => ({ pointer: jsonPointer(path), detail: '' }))
  return faulty(
    errors.map(({ pointer = '', detail }) => ({ pointer, detail })),
    referenceOf(value),
    saysTooLarge(issues.filter(({ path }) => path[0] === 'input')) ? 'input_too_large' : 'invalid_input',
  )
}

/** The reference of what may be no item, where it has the form of one. */
function referenceOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('external_reference' in value)) return null
  return ExternalReference.safeParse(value.external_reference).data ?? null
}

function checkedItem(body: BatchItemBody, rules: ItemRules): Read<BatchItem> {
  const { model, kind } = rules
  const { external_reference: reference, input } = body
  const { confidentiality = rules.confidentiality, retention_seconds = rules.retentionSeconds } = body
  if (!maySee(model, confidentiality)) {
    const detail = `${model.id} may see content up to ${model.maxConfidentiality}.`
    return faulty([{ pointer: '/confidentiality', detail }], reference)
  }
  const inputTokens = kindOf(kind).inputTokens(input)
  if (inputTokens > model.maxInputTokens) return tooLarge(model, reference)
  const canonical = canonicalOf(input)
  if (canonical === null) return faulty([notUnicode], reference)
  const fileRefs = kindOf(kind).fileRefs(input)
  return {
    ok: true,
    value: {
      reference,
      canonical,
      confidentiality,
      retentionSeconds: retention_seconds,
      fileRefs,
      inputTokens,
    },
  }
}

const tooLarge = (model: Model, reference: string) =>
  faulty([{ pointer: '/input', detail: `Too large for ${model.id}.` }], reference, 'input_too_large')

const notUnicode = { pointer: '/input', detail: 'Holds a text that is not well-formed Unicode.' }

/** JSON can write half a surrogate pair, which is no text. */
function canonicalOf(input: unknown): string | null {
  try {
    return canonicalize(input) ?? null
  } catch {
    return null
  }
}

type Files = ReadonlyMap<string, LeasedFile>

/** Why the item's files cannot be taken; null when they can. */
export function fileFault(
  { reference, fileRefs }: BatchItem,
  rules: ItemRules,
  files: Files,
): ItemFault | null {
  const errors = fileFaults(rules.kind, rules.model, fileRefs, (id) => files.get(id))
  const places = errors.map(({ pointer = '', detail }) => ({ pointer, detail }))
  return places.length > 0 ? faulty(places, reference).fault : null
}

/** What an item is expected to take, with the content of its files. */
export function expectedOf({ inputTokens, fileRefs }: BatchItem, { kind, model }: ItemRules, files: Files) {
  const tokens =
    inputTokens +
    tokensOfBytes(
      kind,
      bytesOf(fileRefs, (id) => files.get(id)),
    )
  return { inputTokens: tokens, estimateMicroUsd: estimateMicroUsd(model, tokens) }
}

export const inputSha256 = ({ canonical }: BatchItem) => sha256Hex(canonical)

/** What makes two items the same work. */
export interface Work {
  readonly tenantId: string
  readonly kind: KindName
  readonly processingVersion: string
  readonly model: string
  readonly modelVersion: string
}

const KEY_LENGTH = 32

export async function itemKey(work: Work, reference: string): Promise<string> {
  const { tenantId, kind, processingVersion, model, modelVersion } = work
  const parts = [tenantId, kind, reference, processingVersion, model, modelVersion]
  return (await sha256Hex(JSON.stringify(parts))).slice(0, KEY_LENGTH)
}
