import type { DeadLetter, DeadLetterPage, Redrive, RedriveByFilter, RedriveReport } from '../dead-letters.ts'
import { type Examples, ids, lastPage, TENANT, times } from './example.ts'

export const open: DeadLetter = {
  id: ids.deadLetter,
  object: 'dead_letter',
  queue: 'jobs',
  tenant_id: TENANT,
  job_id: ids.failedJob,
  batch_id: null,
  delivery_id: null,
  schema_version: 1,
  class: 'permission_denied',
  attempts: 1,
  message_sha256: null,
  status: 'open',
  redrivable: true,
  redrive_reason: 'The provider refused our access, not the job.',
  redrive_conditions: ['The credential at the provider is valid again.'],
  created_at: times.finished,
  review_by: '2026-12-02T10:00:02.087Z',
  redriven_by: null,
  redriven_at: null,
  redrive_note: null,
  new_job_id: null,
}

export const deadLetterExamples: {
  DeadLetter: Examples<typeof DeadLetter>
  DeadLetterPage: Examples<typeof DeadLetterPage>
  Redrive: Examples<typeof Redrive>
  RedriveByFilter: Examples<typeof RedriveByFilter>
  RedriveReport: Examples<typeof RedriveReport>
} = {
  DeadLetter: {
    open: { summary: 'One that waits for an operator', value: open },
    resolved: { summary: 'One that was resolved', value: { ...open, status: 'resolved', redrivable: false } },
  },
  DeadLetterPage: { page: { summary: 'The only page', value: { data: [open], ...lastPage } } },
  Redrive: {
    redrive: {
      summary: 'The new job',
      value: {
        object: 'redrive',
        dead_letter_id: ids.deadLetter,
        tenant_id: TENANT,
        redrive_of: ids.failedJob,
        new_job_id: ids.redrivenJob,
      },
    },
  },
  RedriveByFilter: {
    dryRun: {
      summary: 'What would become of them',
      value: { class: 'permission_denied', dry_run: true },
    },
    redrive: {
      summary: 'Those of a tenant',
      value: {
        class: 'permission_denied',
        tenant_id: TENANT,
        limit: 50,
        reason: 'The credential at the provider has been renewed.',
      },
    },
  },
  RedriveReport: {
    dryRun: {
      summary: 'What a redrive would come to',
      value: {
        object: 'redrive_report',
        dry_run: true,
        redriven: 0,
        would_redrive: 1,
        refused: 0,
        data: [
          {
            dead_letter_id: ids.deadLetter,
            outcome: 'would_redrive',
            new_job_id: ids.redrivenJob,
            reason: null,
          },
        ],
        ...lastPage,
      },
    },
    redriven: {
      summary: 'What became of them',
      value: {
        object: 'redrive_report',
        dry_run: false,
        redriven: 1,
        would_redrive: 0,
        refused: 0,
        data: [
          {
            dead_letter_id: ids.deadLetter,
            outcome: 'redriven',
            new_job_id: ids.redrivenJob,
            reason: null,
          },
        ],
        ...lastPage,
      },
    },
  },
}
