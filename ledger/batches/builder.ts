/** Builds the plan of a batch out of lines as they are read: manifest and chunks of those that are items, a fault for each other. */
import type { LeasedFile } from '../file-inputs.ts'
import type { ManifestItem } from '../schema.ts'
import { faulty, type ItemFault } from './faults.ts'
import { type BatchItem, type ItemRules, inputSha256, itemKey, readLine, type Work } from './item.ts'
import { expectedOf, type Files, fileFault } from './item-files.ts'
import type { Line } from './lines.ts'
import { ManifestPages, type PlannedPage } from './manifest-pages.ts'
import { MAX_CLASSES, type PlannedChunk } from './plan.ts'
import { ChunkPlanner } from './planner.ts'

/** Of the IDs, those that are files of the tenant. */
export type FindFiles = (ids: readonly string[]) => Promise<readonly LeasedFile[]>

export interface BuilderParts {
  readonly rules: ItemRules
  readonly work: Work
  readonly findFiles: FindFiles
  readonly onFault: (line: number, fault: ItemFault) => void
  /** How a line is spoken of in the fault of another. */
  readonly nameOf: (line: number) => string
}

interface Candidate {
  readonly line: Line
  readonly item: BatchItem
}

interface Placed extends Candidate {
  readonly chunk: number
}

export class PlanBuilder {
  readonly #parts: BuilderParts
  readonly #planner: ChunkPlanner
  /** The line that used each reference first, item or not: a report by reference must not be about two. */
  readonly #references = new Map<string, number>()
  /** Of the lines that are being looked at. */
  #faults: [line: number, fault: ItemFault][] = []
  readonly #manifest = new ManifestPages()
  #lines = 0

  constructor(parts: BuilderParts) {
    this.#parts = parts
    this.#planner = new ChunkPlanner(parts.rules.model.batch)
  }

  /** Lines so far, whether items or not. */
  get lines() {
    return this.#lines
  }

  get items() {
    return this.#manifest.items
  }

  /** Takes lines that follow those before, and answers the pages that they fill. */
  async add(lines: readonly Line[]): Promise<PlannedPage[]> {
    this.#lines += lines.length
    const candidates = lines.flatMap((line) => this.#read(line))
    const files = await this.#filesOf(candidates)
    const placed = candidates.flatMap((candidate) => this.#place(candidate, files))
    const items = await Promise.all(placed.map((one) => this.#manifestItem(one)))
    this.#tell()
    return items.flatMap((item, at) => this.#manifest.add(item, placed[at]?.item.fileRefs ?? []))
  }

  end(): { readonly pages: PlannedPage[]; readonly chunks: PlannedChunk[] } {
    return { pages: this.#manifest.end(), chunks: this.#planner.end() }
  }

  /** In the order of their lines. */
  #tell() {
    for (const [line, fault] of this.#faults.toSorted(([a], [b]) => a - b)) this.#parts.onFault(line, fault)
    this.#faults = []
  }

  #read(line: Line): Candidate[] {
    const read = readLine(line, this.#parts.rules)
    const again = this.#usedBefore(read.ok ? read.value.reference : read.fault.reference, line.line)
    if (read.ok && again.length === 0) return [{ line, item: read.value }]
    const fault = read.ok ? faulty([], read.value.reference).fault : read.fault
    this.#faults.push([line.line, { ...fault, errors: [...fault.errors, ...again] }])
    return []
  }

  #usedBefore(reference: string | null, line: number) {
    const first = reference === null ? undefined : this.#references.get(reference)
    if (reference !== null && first === undefined) this.#references.set(reference, line)
    if (first === undefined) return []
    const { nameOf } = this.#parts
    return [{ pointer: '/external_reference', detail: `The same in ${nameOf(first)} and ${nameOf(line)}.` }]
  }

  async #filesOf(candidates: readonly Candidate[]): Promise<Files> {
    const ids = new Set(candidates.flatMap(({ item }) => item.fileRefs.map(({ fileId }) => fileId)))
    const files = ids.size > 0 ? await this.#parts.findFiles([...ids]) : []
    return new Map(files.map((file) => [file.id, file]))
  }

  #place(candidate: Candidate, files: Files): Placed[] {
    const { line, item } = candidate
    const fault = fileFault(item, this.#parts.rules, files)
    const chunk = fault ? null : this.#chunkFor(candidate, files)
    if (chunk !== null) return [{ ...candidate, chunk }]
    this.#faults.push([line.line, fault ?? faulty([oneTooMany], item.reference).fault])
    return []
  }

  #chunkFor({ line, item }: Candidate, files: Files): number | null {
    const { confidentiality, retentionSeconds, fileRefs } = item
    return this.#planner.add({
      bytes: line.bytes,
      confidentiality,
      retentionSeconds,
      hasFiles: fileRefs.length > 0,
      answerBytes: item.answerBytes,
      ...expectedOf(item, this.#parts.rules, files),
    })
  }

  async #manifestItem({ line: { line, at, bytes }, item, chunk }: Placed): Promise<ManifestItem> {
    const { reference } = item
    const [key, hash] = await Promise.all([itemKey(this.#parts.work, reference), inputSha256(item)])
    return { line, reference, key, inputSha256: hash, chunk, at, bytes }
  }
}

const oneTooMany = {
  pointer: '',
  detail: `A batch has at most ${MAX_CLASSES} different pairs of confidentiality and retention.`,
}
