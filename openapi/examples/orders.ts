import type { Intake, IntakePause, IntakePausePage, IntakePauseRequest, IntakeResumption } from '../intake.ts'
import type { ModelEnablement, OperatorModel, OperatorModelPage } from '../model-orders.ts'
import { type Examples, ids, lastPage, TENANT } from './example.ts'

const pause: IntakePause = {
  object: 'intake_pause',
  tenant_id: TENANT,
  kind: 'report',
  model: null,
  accepted_work: 'hold',
  operator: ids.client,
  reason: 'Their reports come back empty.',
  at: '2026-11-29T10:00:00.000Z',
}

const scope = { tenant_id: TENANT, kind: 'report' as const }

const model: OperatorModel = {
  id: 'openai/gpt-4o-mini',
  object: 'model',
  provider: 'openai',
  version: '2024-07-18',
  kinds: ['summarize', 'classify', 'report'],
  default_for: [],
  batch: { max_items: 1000, max_bytes: 8_388_608 },
  max_input_tokens: 110_000,
  dimensions: null,
  price: { input_usd_per_million_tokens: 0.15, output_usd_per_million_tokens: 0.6, usd_per_job: 0 },
  max_confidentiality: 'internal',
  enabled: true,
  configured: true,
  approved_by: 'catalog',
  evaluation_id: null,
  decided_by: null,
  decided_at: null,
  reason: null,
}

const disabled: OperatorModel = {
  ...model,
  enabled: false,
  decided_by: ids.client,
  decided_at: '2026-11-29T10:00:00.000Z',
  reason: 'The provider reports an incident.',
}

export const orderExamples: {
  IntakePauseRequest: Examples<typeof IntakePauseRequest>
  IntakeResumption: Examples<typeof IntakeResumption>
  Intake: Examples<typeof Intake>
  IntakePausePage: Examples<typeof IntakePausePage>
  ModelEnablement: Examples<typeof ModelEnablement>
  OperatorModel: Examples<typeof OperatorModel>
  OperatorModelPage: Examples<typeof OperatorModelPage>
} = {
  IntakePauseRequest: {
    tenant: {
      summary: 'Reports of one tenant',
      value: { ...scope, reason: 'Their reports come back empty.' },
    },
    draining: {
      summary: 'A model that is to drain',
      value: {
        model: 'openai/gpt-4o-mini',
        accepted_work: 'run',
        reason: 'It is taken off the catalog tomorrow.',
      },
    },
  },
  IntakeResumption: {
    tenant: { summary: 'As it was paused', value: { ...scope, reason: 'The model has been mended.' } },
  },
  Intake: {
    paused: {
      summary: 'A scope that is paused',
      value: { object: 'intake', ...scope, model: null, pauses: [pause] },
    },
    open: { summary: 'One that is not', value: { object: 'intake', ...scope, model: null, pauses: [] } },
  },
  IntakePausePage: { page: { summary: 'The only page', value: { data: [pause], ...lastPage } } },
  ModelEnablement: {
    evaluated: {
      summary: 'After an evaluation',
      value: {
        reason: 'Better summaries at the same price.',
        evaluation_id: 'eval_01kb9p8z1v000d9g2k5q8s1v4x7b',
      },
    },
    again: { summary: 'After an incident', value: { reason: 'The incident is over.' } },
    override: {
      summary: 'On somebody’s own responsibility',
      value: { reason: 'The old version ends today; agreed with the head of operations.', override: true },
    },
  },
  OperatorModel: {
    enabled: { summary: 'A model that takes work', value: model },
    disabled: { summary: 'A disabled one', value: disabled },
  },
  OperatorModelPage: { page: { summary: 'The only page', value: { data: [model], ...lastPage } } },
}
