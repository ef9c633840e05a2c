/** The guides, in the order in which they are best read; the text of each is `docs/{name}.md`. */
export const guides = [
  {
    name: 'quickstart',
    title: 'Quickstart',
    about: 'a token, a job, its result and a webhook, in ten minutes',
  },
  { name: 'idempotency', title: 'Idempotency', about: 'keys, replays, retries without doubled work' },
  {
    name: 'receiving-webhooks',
    title: 'Receiving webhooks',
    about: 'verifying, answering, catching up after an outage',
  },
  { name: 'batches', title: 'Batches', about: 'thousands of items at once' },
  { name: 'errors', title: 'Errors', about: 'every problem and every class of failure, and what to do' },
  { name: 'limits', title: 'Limits', about: 'rates, sizes, how long things are kept' },
  { name: 'going-live', title: 'Going live', about: 'the checklist' },
] as const

export type GuideName = (typeof guides)[number]['name']
export const guidePath = (name: GuideName) => `/docs/guides/${name}`
