/**
 * The batch side of the stand-in for OpenAI: files, and batches of them that take a moment. It misbehaves when the content of a
 * batch's input says so: `batch-state:NAME` for what becomes of it, `batch-answers:NAME` for its answers, `batch-CALL:FAULT` (with
 * `:once` the first time only) for a call that goes wrong by one of the faults of single calls. It knows no keys, as OpenAI does not:
 * what is sent twice is done twice.
 */

import { batchFiles, type End, type InputLine } from './openai-batch-answers.ts'
import type { BatchRequest } from './openai-batch-calls.ts'

interface Batch {
  readonly id: string
  readonly text: string
  readonly createdAt: number
  readonly asked: Record<string, unknown>
  cancelledAt: number | null
  pondered: number
  files: { output: string | null; error: string | null; usage: unknown } | null
}

/** Each state lasts as long. */
const STEP_MS = 20
/** How often a state that nobody knows is told before it passes. */
const PONDERS = 2
const states = ['validating', 'in_progress', 'finalizing']
const PAGE = 100

/** Where a batch ends in another state than `completed`, and what it has then. */
const ends: Record<string, End & { status: string }> = {
  expired: { status: 'expired', share: 0.5, code: 'batch_expired' },
  'expired-silent': { status: 'expired', share: 0.5, code: null },
  'expired-bare': { status: 'expired', share: 0, code: null },
  cancelled: { status: 'cancelled', share: 0.5, code: 'batch_cancelled' },
}
const refusals: Record<string, string> = {
  failed: 'invalid_json_line',
  'token-limit': 'token_limit_exceeded',
}

const notFound = { status: 404, body: { error: { code: null, type: 'invalid_request_error', message: 'x' } } }
const found = (body: unknown) => ({ status: 200, body })

export class Batches {
  readonly files = new Map<string, string>()
  readonly #batches = new Map<string, Batch>()
  /** The batch that was refused first, by the first of its items. */
  readonly #refused = new Map<string, string>()
  #ids = 0

  /** What the content says that goes wrong is in this text. */
  textFor({ call, id, body }: BatchRequest): string {
    if (call === 'upload') return textOf(body)
    if (call === 'create') return this.files.get(String(body.input_file_id)) ?? ''
    return this.#batches.get(id)?.text ?? this.#batchOf(id)?.text ?? ''
  }

  answer(request: BatchRequest): { status: number; body: unknown } {
    const { call, id, body, after } = request
    if (call === 'upload')
      return found({ id: this.#store(textOf(body)), object: 'file', purpose: body.purpose })
    if (call === 'delete') return found({ id, object: 'file', deleted: this.files.delete(id) })
    if (call === 'content') return this.files.has(id) ? found(this.files.get(id)) : notFound
    if (call === 'create') return this.#create(body)
    if (call === 'list') return found(this.#list(after))
    const batch = this.#batches.get(id)
    if (!batch) return notFound
    if (call === 'cancel') batch.cancelledAt ??= Date.now()
    return found(this.#shown(batch))
  }

  #store(text: string): string {
    const id = `file-${++this.#ids}`
    this.files.set(id, text)
    return id
  }

  #batchOf(fileId: string): Batch | undefined {
    return [...this.#batches.values()].find(
      ({ files, asked }) =>
        asked.input_file_id === fileId || files?.output === fileId || files?.error === fileId,
    )
  }

  #create(asked: Record<string, unknown>) {
    const text = this.files.get(String(asked.input_file_id))
    if (text === undefined) return notFound
    const batch = {
      id: `batch_${++this.#ids}`,
      text,
      createdAt: Date.now(),
      asked,
      cancelledAt: null,
      pondered: 0,
      files: null,
    }
    this.#batches.set(batch.id, batch)
    return found(this.#shown(batch))
  }

  #list(after: string | null) {
    const all = [...this.#batches.values()].reverse()
    const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1
    const data = all.slice(from, from + PAGE).map((batch) => this.#shown(batch))
    return { object: 'list', data, has_more: from + PAGE < all.length }
  }

  #shown(batch: Batch) {
    const { id, asked, createdAt } = batch
    const status = this.#statusOf(batch)
    const refusal = status === 'failed' ? refusals[nameOf(batch.text, 'state')] : undefined
    const files = this.#filesOf(batch, status)
    return {
      ...asked,
      id,
      object: 'batch',
      created_at: Math.floor(createdAt / 1000),
      status,
      output_file_id: files?.output ?? null,
      error_file_id: files?.error ?? null,
      usage: files?.usage ?? null,
      errors: refusal ? { object: 'list', data: [{ code: refusal, line: 1, message: 'PROMPT-ECHO' }] } : null,
      ...(nameOf(batch.text, 'state') === 'others' && { metadata: { submission: 'of another' } }),
    }
  }

  #statusOf(batch: Batch): string {
    const { text, createdAt, cancelledAt } = batch
    const state = nameOf(text, 'state')
    const step = Math.floor((Date.now() - createdAt) / STEP_MS)
    if (cancelledAt !== null) return Date.now() < cancelledAt + STEP_MS ? 'cancelling' : 'cancelled'
    if (state === 'stuck') return 'validating'
    if (state === 'new-word' && batch.pondered++ < PONDERS) return 'pondering'
    if (step < states.length) return states[step] ?? 'validating'
    if (refusals[state] && this.#isRefused(batch)) return 'failed'
    return ends[state]?.status ?? 'completed'
  }

  /** With `:once`, the same items are refused the first time only. */
  #isRefused({ id, text }: Batch): boolean {
    if (!/batch-state:[a-z0-9-]+:once/.test(text)) return true
    const first = linesOf(text)[0]?.custom_id ?? ''
    if (!this.#refused.has(first)) this.#refused.set(first, id)
    return this.#refused.get(first) === id
  }

  #filesOf(batch: Batch, status: string) {
    if (!['completed', 'expired', 'cancelled'].includes(status)) return null
    if (batch.files) return batch.files
    const end = ends[nameOf(batch.text, 'state')] ?? (status === 'cancelled' ? ends.cancelled : undefined)
    const made = batchFiles(
      linesOf(batch.text),
      nameOf(batch.text, 'answers'),
      end ?? { share: 1, code: null },
    )
    const store = (lines: string[]) => (lines.length > 0 ? this.#store(`${lines.join('\n')}\n`) : null)
    batch.files = { output: store(made.output), error: store(made.error), usage: made.usage }
    return batch.files
  }
}

const textOf = ({ file }: Record<string, unknown>) => (file as { text?: string } | undefined)?.text ?? ''
const nameOf = (text: string, what: string) => new RegExp(`batch-${what}:([a-z0-9-]+)`).exec(text)?.[1] ?? ''
const linesOf = (text: string) =>
  text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as InputLine] : []))
