/** Puts items into chunks, one after the other as they are read: what is sent, answered and run again in one piece. Pure. */
import type { BatchLimits, Confidentiality } from '../../catalog/models.ts'
import type { Run } from '../schema.ts'
import { MAX_ANSWER_BYTES, MAX_CLASSES, MAX_ITEM_ANSWER_BYTES, type PlannedChunk } from './plan.ts'

export interface PlannedItem {
  /** Of its line. */
  readonly bytes: number
  readonly confidentiality: Confidentiality
  readonly retentionSeconds: number
  readonly inputTokens: number
  readonly estimateMicroUsd: number
  readonly hasFiles: boolean
  /** What its answer is expected to take, where that is more than the input does. */
  readonly answerBytes: number
}

type Path = PlannedChunk['path']
type Draft = { -readonly [K in keyof PlannedChunk]: PlannedChunk[K] }

type Limits = Pick<BatchLimits, 'maxItems' | 'maxBytes'>

/** For a chunk whose items run as jobs; its items are opened in one go. */
const jobs: Limits = { maxItems: 100, maxBytes: 8 * 1024 * 1024 }

export class ChunkPlanner {
  readonly #limits: Record<Path, Limits>
  readonly #chunks: Draft[] = []
  /** Of each chunk. */
  readonly #answerBytes: number[] = []
  /** The chunk of each path, confidentiality and retention that takes more. */
  readonly #open = new Map<string, number>()
  readonly #classes = new Set<string>()
  #items = 0

  /** `limits` are those of the model; null where its provider takes no batches: then all runs as jobs. */
  constructor(limits: Limits | null) {
    this.#limits = { batch: limits ?? { maxItems: 0, maxBytes: 0 }, jobs }
  }

  /** The chunk that the next item is in; null where its pair of confidentiality and retention is one too many. */
  add(item: PlannedItem): number | null {
    const ofClass = `${item.confidentiality} ${item.retentionSeconds}`
    if (!this.#classes.has(ofClass) && this.#classes.size >= MAX_CLASSES) return null
    this.#classes.add(ofClass)
    const path = this.#fitsBatch(item) ? 'batch' : 'jobs'
    const chunk = this.#roomFor(item, path, `${path} ${ofClass}`)
    this.#put(item, chunk)
    return chunk
  }

  #fitsBatch({ hasFiles, bytes, answerBytes }: PlannedItem): boolean {
    return !hasFiles && bytes <= this.#limits.batch.maxBytes && answerBytes <= MAX_ITEM_ANSWER_BYTES
  }

  end(): PlannedChunk[] {
    return this.#chunks
  }

  #roomFor(item: PlannedItem, path: Path, key: string): number {
    const open = this.#open.get(key)
    const chunk = open === undefined ? undefined : this.#chunks[open]
    if (
      open !== undefined &&
      chunk &&
      hasRoom(chunk, item, this.#limits[path]) &&
      this.#hasRoomForAnswer(open, item)
    )
      return open
    const fresh = this.#chunks.push(emptyChunk(item, path)) - 1
    this.#open.set(key, fresh)
    return fresh
  }

  /** The outputs of jobs are put together one at a time. */
  #hasRoomForAnswer(number: number, { answerBytes }: PlannedItem): boolean {
    const isBatch = this.#chunks[number]?.path === 'batch'
    return !isBatch || (this.#answerBytes[number] ?? 0) + answerBytes <= MAX_ANSWER_BYTES
  }

  #put(item: PlannedItem, number: number) {
    const chunk = this.#chunks[number]
    if (!chunk) return
    chunk.items++
    chunk.bytes += item.bytes
    this.#answerBytes[number] = (this.#answerBytes[number] ?? 0) + item.answerBytes
    chunk.inputTokens += item.inputTokens
    chunk.estimateMicroUsd += item.estimateMicroUsd
    append(chunk.runs, this.#items++)
  }
}

const hasRoom = (chunk: Draft, item: PlannedItem, { maxItems, maxBytes }: Limits) =>
  chunk.items < maxItems && chunk.bytes + item.bytes <= maxBytes

const emptyChunk = ({ confidentiality, retentionSeconds }: PlannedItem, path: Path): Draft => ({
  path,
  items: 0,
  bytes: 0,
  runs: [],
  confidentiality,
  retentionSeconds,
  inputTokens: 0,
  estimateMicroUsd: 0,
})

/** Adds the number, which is above all that are there. */
export function append(runs: Run[], number: number): void {
  const last = runs.at(-1)
  if (last && last[0] + last[1] === number) runs[runs.length - 1] = [last[0], last[1] + 1]
  else runs.push([number, 1])
}
