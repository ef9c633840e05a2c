import type { Job, JobEstimate, JobPage, JobRequest, JobResult } from '../jobs.ts'
import { EXAMPLE_BASE_URL, type Examples, ids, lastPage, TEXT, times } from './example.ts'

const urlsOf = (id: string) => ({
  status_url: `${EXAMPLE_BASE_URL}/v1/jobs/${id}`,
  result_url: `${EXAMPLE_BASE_URL}/v1/jobs/${id}/result`,
})

export const accepted: Job = {
  id: ids.job,
  object: 'job',
  kind: 'summarize',
  model: 'embedded/extract-1',
  model_version: '1',
  provider: 'embedded',
  provider_request_id: null,
  status: 'accepted',
  terminal: false,
  status_reason: 'waiting_for_dispatch',
  attempts: 0,
  created_at: times.created,
  started_at: null,
  last_attempt_at: null,
  next_attempt_at: null,
  finished_at: null,
  deadline_at: times.deadline,
  content_expires_at: null,
  content_deleted_at: null,
  error: null,
  usage: null,
  metadata: { order: '4711' },
  priority: 'normal',
  confidentiality: 'internal',
  processing_version: '1',
  created_by: ids.client,
  batch_id: null,
  redrive_of: null,
  ...urlsOf(ids.job),
}

export const usage = { input_tokens: 24, output_tokens: 14, cost_usd: 0 }

const ended = {
  terminal: true,
  status_reason: null,
  finished_at: times.finished,
  content_expires_at: times.expires,
}

export const succeeded: Job = {
  ...accepted,
  ...ended,
  status: 'succeeded',
  attempts: 1,
  started_at: times.started,
  last_attempt_at: times.started,
  usage,
}

export const error = {
  class: 'permission_denied',
  message: 'The provider refused our access.',
  retryable: true,
} as const

export const failed: Job = {
  ...succeeded,
  id: ids.failedJob,
  model: 'test/permission-denied',
  provider: 'embedded',
  status: 'failed',
  error,
  usage: null,
  ...urlsOf(ids.failedJob),
}

const cancelled: Job = { ...accepted, ...ended, status: 'cancelled' }

const result = { id: ids.job, object: 'job_result', usage } as const

export const outputs = {
  summarize: { summary: 'All human beings are born free and equal in dignity and rights.' },
  embed: { embeddings: [[0.1875, -0.5, 0.25, 0.8125, 0, 0, 0, 0]], dimensions: 8 },
  classify: {
    labels: [
      { label: 'complaint', score: 0.75 },
      { label: 'praise', score: 0.25 },
    ],
  },
  report: {
    markdown:
      '# Rights\n\n## Article 1\n\nAll human beings are born free and equal in dignity and rights. [1]\n',
    citations: [{ source: 1, title: 'Article 1' }],
  },
  transcribe: {
    text: 'Good morning.',
    language: 'en',
    segments: [{ start: 0, end: 1.25, text: 'Good morning.' }],
  },
}

export const jobExamples: {
  JobRequest: Examples<typeof JobRequest>
  Job: Examples<typeof Job>
  JobPage: Examples<typeof JobPage>
  JobResult: Examples<typeof JobResult>
  JobEstimate: Examples<typeof JobEstimate>
} = {
  JobRequest: {
    summarize: {
      summary: 'Summarise a text',
      value: {
        kind: 'summarize',
        input: { text: TEXT },
        params: { max_words: 12 },
        metadata: { order: '4711' },
      },
    },
    embed: {
      summary: 'Embed the texts of a file',
      value: { kind: 'embed', input: { file_id: ids.file }, params: { dimensions: 64 } },
    },
    classify: {
      summary: 'Classify a ticket, soon',
      value: {
        kind: 'classify',
        input: { text: 'My parcel arrived broken.', labels: ['complaint', 'praise'] },
        priority: 'high',
        deadline_seconds: 600,
      },
    },
    report: {
      summary: 'Write a report from its sources',
      value: {
        kind: 'report',
        input: { sources: [{ title: 'Article 1', text: TEXT }] },
        params: { title: 'Rights' },
        max_cost_usd: 0.05,
      },
    },
    transcribe: {
      summary: 'Transcribe an uploaded recording',
      value: {
        kind: 'transcribe',
        input: { file_id: ids.file },
        params: { language: 'en' },
        confidentiality: 'confidential',
      },
    },
  },
  Job: {
    accepted: { summary: 'A job that waits to be started', value: accepted },
    succeeded: { summary: 'A job that succeeded', value: succeeded },
    failed: { summary: 'A job that failed for good', value: failed },
    cancelled: { summary: 'A job that was cancelled', value: cancelled },
  },
  JobPage: { page: { summary: 'The only page', value: { data: [failed, succeeded], ...lastPage } } },
  JobResult: {
    summarize: {
      summary: 'A summary',
      value: { ...result, kind: 'summarize', model: 'embedded/extract-1', output: outputs.summarize },
    },
    embed: {
      summary: 'A vector for each text',
      value: { ...result, kind: 'embed', model: 'embedded/hash-1', output: outputs.embed },
    },
    classify: {
      summary: 'All labels with their scores',
      value: { ...result, kind: 'classify', model: 'embedded/hash-1', output: outputs.classify },
    },
    report: {
      summary: 'A report in Markdown',
      value: { ...result, kind: 'report', model: 'embedded/extract-1', output: outputs.report },
    },
    transcribe: {
      summary: 'A transcript',
      value: { ...result, kind: 'transcribe', model: 'openai/whisper-1', output: outputs.transcribe },
    },
  },
  JobEstimate: {
    accepted: {
      summary: 'It would be accepted',
      value: {
        estimated_cost_usd: 0.000125,
        estimated_input_tokens: 24,
        model: 'embedded/extract-1',
        would_be_accepted: true,
        reasons: [],
      },
    },
    refused: {
      summary: 'It would be refused: the budget is used up',
      value: {
        estimated_cost_usd: 0.01,
        estimated_input_tokens: 1200,
        model: 'test/priced',
        would_be_accepted: false,
        reasons: ['budget-exhausted'],
      },
    },
  },
}
