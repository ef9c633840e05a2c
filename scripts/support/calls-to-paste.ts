/** What a run prints when it is ready: where everything is, and calls that work in any shell as they stand. */
import { relative } from 'node:path'
import type { LocalRun } from './local-run.ts'

export function callsToPaste({ state, credentials }: LocalRun): string {
  const { base_url, tenants } = credentials
  const [tenant] = tenants
  return `
Ready at ${base_url}, the API reference at ${base_url}/docs
Credentials of ${tenants.map(({ tenant_id }) => tenant_id).join(', ')} and an operator: ${shown(state.credentials)}; wrangler's output: ${shown(state.log)}

Calls to paste, as ${tenant?.tenant_id}:

  export BASE='${base_url}' CLIENT_ID='${tenant?.client_id}' CLIENT_SECRET='${tenant?.client_secret}'

A token, good for 15 minutes:

  TOKEN=$(curl -s "$BASE/oauth/token" -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials | ${member('access_token')})

A job (sent again, it answers with the same job: the key is the same):

  JOB=$(curl -s "$BASE/v1/jobs" -H "Authorization: Bearer $TOKEN" -H 'Idempotency-Key: ${crypto.randomUUID()}' -H 'Content-Type: application/json' -d '${body}' | ${member('status_url')})
  echo "$JOB"

Its status, and a moment later its result:

  curl -s "$JOB" -H "Authorization: Bearer $TOKEN"; echo
  sleep 2; curl -s "$JOB/result" -H "Authorization: Bearer $TOKEN"; echo

Ctrl-C ends it.
`
}

const shown = (path: string) => relative('', path)

/** No jq, which not everybody has. */
const member = (name: string) => `sed -n 's/.*"${name}":"\\([^"]*\\)".*/\\1/p'`

const body = JSON.stringify({
  kind: 'summarize',
  input: {
    text: 'A queue takes work that nobody waits for. It evens out peaks, since workers take what they can carry. The sender gets an answer at once. When the work is done, a signed message says so.',
  },
  params: { max_words: 25 },
})
