/** The parts that the document tells of the API in, in the order in which a reader needs them. */
const tagTexts: Readonly<Record<string, string>> = {
  Authentication: 'Tokens.',
  Jobs: 'One piece of work each: submit, follow, read the result.',
  Batches: 'Many items of one kind at once, through the batches of the provider.',
  Files: 'Content that is too large for a body, and audio.',
  'Webhook endpoints': 'Where to send webhooks, which, and how they are signed.',
  Deliveries: 'What became of each event at each endpoint.',
  Events: 'Everything that happened, to be read instead of received.',
  Models: 'What can be done by which model, and what it costs.',
  Account: 'What the plan allows and what is left of it; what was used and what it cost.',
  Webhooks: 'What your receiver gets.',
  Tenants: 'Customers and their limits.',
  Clients: 'API clients of tenants.',
  Issuers: "Issuers of tokens that are a tenant's own.",
  'Dead letters': 'What only operators can mend.',
  Alerts: 'What is wrong with the service, and who is told.',
  'Model evaluations': 'Candidates held against the present models, before customers meet them.',
  Intake: 'Pausing what is accepted.',
  Usage: 'What tenants used and what it cost.',
  Metrics: 'Figures for monitoring.',
  'Audit log': 'Who changed what, and why.',
}

const order = Object.keys(tagTexts)

/** The tags that are used, described and in order; one that is not in the list has no description, and comes last. */
export const tagsOf = (used: readonly string[]) =>
  [...new Set(used)]
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((name) => ({ name, description: tagTexts[name] ?? '' }))

const placeOf = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
