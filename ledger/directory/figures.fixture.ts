/** Figures of ledgers, as tests speak of them: nothing but what is given. */
import { atRest } from '../buried-figures.ts'
import type { Figures, WorkFigures } from '../figures.ts'
import { noWebhooks } from '../webhook-figures.ts'
import { noWork } from '../work-figures.ts'

export const workOf = (more: Partial<WorkFigures> = {}): WorkFigures => ({
  kind: 'summarize',
  model: 'embedded/extract-1',
  open: 0,
  ...noWork,
  ...more,
})

interface Given {
  readonly work?: WorkFigures[]
  readonly now?: Partial<Figures['now']>
  readonly webhooks?: Partial<Figures['webhooks']>
}

export const figuresOf = ({ work = [], now = {}, webhooks = {} }: Given): Figures => ({
  v: 1,
  work,
  now: { ...atRest, ...now },
  webhooks: { ...noWebhooks, ...webhooks },
})
