/** From a line of a source to an item of a batch, or what is wrong with it: places and words of ours, never the content. Pure. */
import canonicalize from 'canonicalize'
import { type KindName, saysTooLarge } from '../../catalog/kind.ts'
import { kindOf } from '../../catalog/kinds.ts'
import { type Confidentiality, type Model, maySee } from '../../catalog/models.ts'
import { type BatchItemBody, batchItems, ExternalReference } from '../../openapi/batch-items.ts'
import { fieldErrors, jsonPointer } from '../../openapi/field-errors.ts'
import type { FileRef } from '../file-fit.ts'
import { sha256Hex } from '../hex.ts'
import { disputedName } from '../json-names.ts'
import { faulty, type Read } from './faults.ts'
import type { Line } from './lines.ts'
import { MAX_LINE_BYTES } from './plan.ts'

/** What the batch says of all its items. */
export interface ItemRules {
  readonly kind: KindName
  readonly model: Model
  /** Of items that do not name their own. */
  readonly confidentiality: Confidentiality
  readonly retentionSeconds: number
  /** Asked for, of the vectors of an `embed`; null where that is left to the model. */
  readonly dimensions: number | null
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
  /** What its answer is expected to take as JSON, where that is more than the input does. */
  readonly answerBytes: number
}

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
    const value: unknown = JSON.parse(line.text)
    const disputed = disputedName(line.text)
    return disputed ? faulty([disputed], referenceOf(value)) : readItem(value, rules)
  } catch (error) {
    if (error instanceof SyntaxError) return faulty([{ pointer: '', detail: 'Not JSON.' }])
    throw error
  }
}

/** Of one item; a megabyte may hold many thousands. */
const PLACES_KEPT = 100

/** The item that a JSON value is. */
export function readItem(value: unknown, rules: ItemRules): Read<BatchItem> {
  const parsed = batchItems[rules.kind].safeParse(value)
  if (parsed.success) return checkedItem(parsed.data, rules)
  const { issues } = parsed.error
  const errors = fieldErrors(issues, (path) => ({ pointer: jsonPointer(path), detail: '' }))
  return faulty(
    errors.slice(0, PLACES_KEPT).map(({ pointer = '', detail }) => ({ pointer, detail })),
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
      answerBytes: answerBytesOf(rules, input),
    },
  }
}

/** A number of a vector, with what stands around it. */
export const NUMBER_BYTES = 24

/** Vectors are many times as large as what they stand for. */
function answerBytesOf({ kind, model, dimensions }: ItemRules, input: unknown): number {
  if (kind !== 'embed') return 0
  const { texts } = input as { texts?: readonly string[] }
  return (texts?.length ?? 0) * (dimensions ?? model.dimensions ?? 0) * NUMBER_BYTES
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
