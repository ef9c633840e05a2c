/** What a benchmark is, and what is wanted of its figures. */

/** Runs to the end and cleans up; `tell` reports progress to whoever watches. */
export type Bench = (tell: (line: string) => void) => Promise<Outcome>

export interface Outcome {
  readonly figures: Record<string, number>
  /** For some of the figures; the others are only told. */
  readonly wanted: Record<string, Wanted>
}

export interface Wanted {
  readonly bound: 'at least' | 'at most' | 'below'
  readonly value: number
  readonly aim?: number
}

export const wantedText = ({ bound, value, aim }: Wanted) =>
  `${bound === 'below' ? '<' : bound} ${value}${aim === undefined ? '' : `, aim ${aim}`}`

/** A figure that is not there is missed as well. */
export const isMissed = (figure: number | undefined, { bound, value }: Wanted) =>
  figure === undefined || !holds[bound](figure, value)

const holds: Record<Wanted['bound'], (figure: number, value: number) => boolean> = {
  'at least': (figure, value) => figure >= value,
  'at most': (figure, value) => figure <= value,
  below: (figure, value) => figure < value,
}

export const missedIn = ({ figures, wanted }: Outcome): string[] =>
  Object.entries(wanted).flatMap(([name, one]) => (isMissed(figures[name], one) ? [name] : []))
