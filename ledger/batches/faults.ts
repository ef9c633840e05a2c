/** What is wrong with a line that is no item, and how it is told: in the report of a batch, or in the answer to a request. Pure. */
import type { FieldError } from '../../openapi/common.ts'
import type { LineError } from '../schema.ts'
import { FAULTS_PAGE, MAX_FAULTS } from './plan.ts'

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

/** Where what is wrong is told of the batch as a whole. */
export const wholly = { line: 0, external_reference: null } as const

const PLACES_SHOWN = 3

/** For the report, which outlives the content: names of fields are shown only where they look like names. */
export const lineError = (line: number, { class: failure, reference, errors }: ItemFault): LineError => ({
  line,
  external_reference: reference,
  class: failure,
  detail: [...errors.slice(0, PLACES_SHOWN).map(worded), ...more(errors.length - PLACES_SHOWN)].join(' '),
})

const worded = ({ pointer, detail }: Place) =>
  pointer === '' ? detail : `${withoutText(pointer)}: ${detail}`
const withoutText = (pointer: string) =>
  pointer.replaceAll(/\/[^/]*/g, (part) => (/^\/[A-Za-z0-9_-]{1,64}$/.test(part) ? part : '/…'))
const more = (count: number) => (count > 0 ? [`And ${count} more.`] : [])

/** Items that came inline are the lines of their source, in order. */
export const inlinePointer = (line: number) => `/items/${line - 1}`

export const inlineErrors = (line: number, { errors }: ItemFault): FieldError[] =>
  errors.map(({ pointer, detail }) => ({ pointer: `${inlinePointer(line)}${pointer}`, detail }))

export interface FaultPage {
  readonly page: number
  readonly faults: LineError[]
}

/** Counts all faults, and hands on the first of them in pages, so that none is held for long. */
export class FaultPages {
  #count = 0
  #page: LineError[] = []
  #pages = 0

  get count() {
    return this.#count
  }

  add(line: number, fault: ItemFault): void {
    if (this.#count++ < MAX_FAULTS) this.#page.push(lineError(line, fault))
  }

  /** Pages that have filled up. */
  *full(): Generator<FaultPage, void> {
    while (this.#page.length >= FAULTS_PAGE) yield this.#turn()
  }

  /** All that has not been handed on. */
  *rest(): Generator<FaultPage, void> {
    while (this.#page.length > 0) yield this.#turn()
  }

  #turn(): FaultPage {
    return { page: this.#pages++, faults: this.#page.splice(0, FAULTS_PAGE) }
  }
}
