/** Sources of items, and their plans. */
import type { LineError } from '../schema.ts'
import { sourceLines } from './lines.ts'
import type { PlanSummary } from './plan.ts'
import { type PlannedPage, type Planning, planSource } from './planning.ts'
import type { PlanOrder } from './protocol.ts'

export const order: PlanOrder = {
  kind: 'summarize',
  model: 'embedded/extract-1',
  modelVersion: '1',
  processingVersion: '1',
  confidentiality: 'internal',
  retentionSeconds: 60,
  params: null,
  onInvalid: 'fail',
  sourceRef: 't/acme/file/1/f',
  lines: null,
}

const file = (id: string) => ({ id, ref: `t/acme/file/1/${id}`, contentType: 'text/plain', bytes: 300 })
const known = ['file_1', 'file_2', 'file_3']

export const planning: Planning = {
  tenantId: 'acme',
  order,
  findFiles: async (ids) => ids.filter((id) => known.includes(id)).map(file),
}

export const item = (reference: string, rest: object = {}) => ({
  external_reference: reference,
  input: { text: `Item ${reference}.` },
  ...rest,
})
export const lineOf = (value: unknown) => `${JSON.stringify(value)}\n`

async function* chunksOf(source: string, size = 1000) {
  const bytes = new TextEncoder().encode(source)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

interface Planned {
  readonly pages: PlannedPage[]
  readonly faults: LineError[]
  readonly summary: PlanSummary
}

/** What planning these lines comes to. */
export async function plan(source: string, asked: Partial<PlanOrder> = {}): Promise<Planned> {
  const planned = planSource(sourceLines(chunksOf(source)), { ...planning, order: { ...order, ...asked } })
  const pages: PlannedPage[] = []
  const faults: LineError[] = []
  for (;;) {
    const { done, value } = await planned.next()
    if (done) return { pages, faults, summary: value }
    if ('faults' in value) faults.push(...value.faults)
    else pages.push(value)
  }
}

export const itemsOf = ({ pages }: Planned) => pages.flatMap(({ items }) => items)
export const referencesOf = (planned: Planned) => itemsOf(planned).map(({ reference }) => reference)
