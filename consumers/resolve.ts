/** Turns what a lease holds into what a provider reads: the input from where it lies, files in the place of their IDs. */
import type { FileText } from '../catalog/file-texts.ts'
import { type Kind, saysTooLarge } from '../catalog/kind.ts'
import { kindOf } from '../catalog/kinds.ts'
import type { Lease } from '../ledger/claim.ts'
import type { LeasedFile } from '../ledger/file-inputs.ts'
import { errorName, log } from '../ledger/log.ts'
import type { Audio } from './provider.ts'

/** What a provider can be asked with; or the class of the failure: the customer's content, or ours. */
export type Resolved =
  | { ok: true; input: unknown; audio: Audio | null }
  | { ok: false; class: 'invalid_input' | 'input_too_large' | 'internal' }

const ours: Resolved = { ok: false, class: 'internal' }

/** Never throws: content that is missing, cannot be read or is not what it was is our own fault, and worth another try. */
export async function resolveInput(lease: Lease, content: Pick<R2Bucket, 'get'>): Promise<Resolved> {
  try {
    const text = lease.input ?? (await textAt(lease.inputRef, content))
    if (text === null) return ours
    const input = JSON.parse(text) as unknown
    return await withFiles(kindOf(lease.kind), input, lease.files, content)
  } catch (error) {
    log('job.input_failed', { job_id: lease.jobId, attempt: lease.attempt, error: errorName(error) })
    return ours
  }
}

async function textAt(ref: string | null, content: Pick<R2Bucket, 'get'>): Promise<string | null> {
  const object = ref && (await content.get(ref))
  return object ? object.text() : null
}

async function withFiles(
  kind: Kind,
  input: unknown,
  files: readonly LeasedFile[],
  content: Pick<R2Bucket, 'get'>,
): Promise<Resolved> {
  const ids = new Set(kind.fileRefs(input).map(({ fileId }) => fileId))
  const found = files.filter(({ id }) => ids.has(id))
  if (ids.size === 0) return { ok: true, input, audio: null }
  if (found.length < ids.size) return ours
  return kind.reads === 'audio' ? withAudio(input, found, content) : withTexts(kind, input, found, content)
}

async function withAudio(
  input: unknown,
  [file]: readonly LeasedFile[],
  content: Pick<R2Bucket, 'get'>,
): Promise<Resolved> {
  const object = file && (await content.get(file.ref))
  if (!object) return ours
  const bytes = new Uint8Array(await object.arrayBuffer())
  return { ok: true, input, audio: { bytes, contentType: file.contentType } }
}

/** One after the other, so that only one is held as bytes and as text at once. */
async function withTexts(
  kind: Kind,
  input: unknown,
  files: readonly LeasedFile[],
  content: Pick<R2Bucket, 'get'>,
): Promise<Resolved> {
  const texts = new Map<string, FileText>()
  for (const { id, ref, contentType } of files) {
    const text = await textAt(ref, content)
    if (text === null) return ours
    texts.set(id, { text: withoutMark(text), contentType })
  }
  return parsed(
    kind,
    kind.withTexts(input, (id) => texts.get(id) ?? missing()),
  )
}

function parsed(kind: Kind, input: unknown): Resolved {
  const result = kind.input.safeParse(input)
  if (result.success) return { ok: true, input: result.data, audio: null }
  return { ok: false, class: saysTooLarge(result.error.issues) ? 'input_too_large' : 'invalid_input' }
}

/** A byte order mark is none of the text. */
const withoutMark = (text: string) => (text.startsWith('\uFEFF') ? text.slice(1) : text)

const missing = (): never => {
  throw new Error('A file of the input is not among those that the lease hands over.')
}
