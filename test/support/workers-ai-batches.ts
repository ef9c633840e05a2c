/**
 * The asynchronous batches of the stand-in for Workers AI, with no key, list or cancel, as the platform has none. It misbehaves when
 * the content of a chunk says so: `batch-submit:NAME` or `batch-poll:NAME` for a call that goes wrong (with `:once` the first time
 * only), `batch-state:NAME` for what becomes of it, `batch-answers:NAME` for its answers, `fault:NAME` for one item's.
 */
export interface BatchInput {
  readonly requests?: BatchItem[]
  readonly request_id?: string
}

export interface BatchItem extends Record<string, unknown> {
  readonly external_reference: string
}

interface Batch {
  readonly request_id: string
  readonly model: string
  readonly requests: BatchItem[]
  readonly text: string
  polls: number
}

interface Answer {
  readonly id: number
  readonly external_reference: string | null
  readonly success: boolean
  readonly result?: unknown
}

/** One item's result; throws what the binding would. */
type Run = (item: BatchItem) => unknown

/** Polls until it is done. */
const POLLS = 2
const HANGS_MS = 60_000
const usage = { prompt_tokens: 800, completion_tokens: 100, total_tokens: 900 }

const taken = new Map<string, Batch>()
const faulted = new Set<string>()

/** All that was taken so far. */
export const takenBatches = () => [...taken.values()].map(({ text: _, ...batch }) => batch)

export async function submitBatch(model: string, requests: BatchItem[]): Promise<unknown> {
  const text = JSON.stringify(requests)
  const fault = faultOf('submit', text, requests)
  if (/^\d+$/.test(fault)) throw new Error(`${fault}: PROMPT-ECHO, it is not taken.`)
  const request_id = crypto.randomUUID()
  taken.set(request_id, { request_id, model, requests, text, polls: 0 })
  if (fault === 'lost') throw new Error('Network connection lost.')
  // With a timer: what waits for nothing at all is ended by the runtime.
  if (fault === 'hangs') await new Promise((resolve) => setTimeout(resolve, HANGS_MS))
  return { status: 'queued', model, ...(fault !== 'no-id' && { request_id }) }
}

export function pollBatch(model: string, request_id: string, run: Run): unknown {
  const batch = taken.get(request_id)
  if (batch?.model !== model) throw new Error('404: PROMPT-ECHO, there is no such request.')
  const fault = faultOf('poll', batch.text, batch.requests)
  if (/^\d+$/.test(fault)) throw new Error(`${fault}: PROMPT-ECHO, not now.`)
  const state = nameOf('state', batch.text)
  if (state === 'stuck') return { status: 'queued', request_id }
  if (++batch.polls <= POLLS) return { status: pendingWord(state, batch.polls), request_id }
  return finished(state) ?? { responses: answersOf(batch, run), usage }
}

function pendingWord(state: string, polls: number): string {
  if (state === 'new-word') return 'pondering'
  return polls < POLLS ? 'queued' : 'running'
}

/** What is there in the place of answers. */
function finished(state: string): unknown {
  if (state === 'gone') throw new Error('404: PROMPT-ECHO, there is no such request.')
  if (state === 'failed') return { status: 'failed', error: 'PROMPT-ECHO' }
  return state === 'other-shape' ? { result: { items: ['PROMPT-ECHO'] } } : null
}

const FOREIGN = 'f'.repeat(32)

/** Wrong sets of answers by name. */
const changes: Record<string, (answers: Answer[]) => Answer[]> = {
  twice: (answers) => [...answers, ...answers.slice(0, 1)],
  foreign: (answers) => [
    ...answers,
    ...answers.slice(0, 1).map((one) => ({ ...one, external_reference: FOREIGN })),
  ],
  missing: (answers) => answers.slice(1),
  nameless: (answers) => answers.map((one) => ({ ...one, external_reference: null })),
  none: () => [],
  empty: (answers) => answers.map((one) => ({ ...one, result: {} })),
  nested: (answers) => answers.map((one) => ({ ...one, result: { result: one.result } })),
  shifted: (answers) => answers.map((one) => ({ ...one, id: one.id + 1 })),
}

function answersOf({ requests, text }: Batch, run: Run): Answer[] {
  // Not in the order of the requests, which the platform does not keep.
  const answers = requests.map((item, id) => answerTo(item, id, run)).reverse()
  return changes[nameOf('answers', text)]?.(answers) ?? answers
}

function answerTo(item: BatchItem, id: number, run: Run): Answer {
  const { external_reference } = item
  try {
    return { id, external_reference, success: true, result: run(item) }
  } catch {
    return { id, external_reference, success: false }
  }
}

const nameOf = (what: string, text: string) => new RegExp(`batch-${what}:([a-z0-9-]+)`).exec(text)?.[1] ?? ''

function faultOf(call: string, text: string, [first]: BatchItem[]): string {
  const [, name = '', once] = new RegExp(`batch-${call}:([a-z0-9-]+)(:once)?`).exec(text) ?? []
  const items = `${call} ${name} ${first?.external_reference}`
  if (once && faulted.has(items)) return ''
  if (once) faulted.add(items)
  return name
}
