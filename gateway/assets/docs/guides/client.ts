// client.ts
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

interface Job {
  id: string
  status: string
  terminal: boolean
  error: { class: string; message: string; retryable: boolean } | null
}

const { BASE, CLIENT_ID, CLIENT_SECRET } = process.env
const TRIES = 5

async function newToken() {
  const response = await fetch(`${BASE}/oauth/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${CLIENT_ID}:${CLIENT_SECRET}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  if (!response.ok) throw new Error(`No token: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { access_token: string }).access_token
}

const token = await newToken() // a program that runs for longer fetches another after a 401

/** Tries again what may pass: no answer at all, 429, 5xx. For reads, and for a POST with an Idempotency-Key, that does no harm. */
async function call(path: string, init: RequestInit & { headers?: Record<string, string> } = {}) {
  const headers = { Authorization: `Bearer ${token}`, ...init.headers }
  for (let tries = 1; ; tries++) {
    const response = await fetch(BASE + path, { ...init, headers }).catch(() => null)
    if (response?.ok) return response
    const mayPass = !response || response.status === 429 || response.status >= 500
    if (!mayPass || tries === TRIES) throw new Error(response ? await response.text() : 'No answer.')
    const seconds = Number(response?.headers.get('Retry-After') ?? 2 ** tries)
    await sleep(seconds * 1000 * (1 + Math.random() / 4))
  }
}

const submitted = await call('/v1/jobs', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
  body: JSON.stringify({
    kind: 'classify',
    input: { text: 'The parcel arrived broken.', labels: ['praise', 'complaint about a parcel'] },
    metadata: { ticket: '4711' },
  }),
})

let job = (await submitted.json()) as Job
while (!job.terminal) {
  const response = await call(`/v1/jobs/${job.id}`, { headers: { Prefer: 'wait=20' } })
  job = (await response.json()) as Job
  if (!job.terminal) await sleep(Number(response.headers.get('Retry-After') ?? 2) * 1000)
}

if (job.status !== 'succeeded') throw new Error(`${job.status}: ${job.error?.class}`)
const result = await call(`/v1/jobs/${job.id}/result`)
console.log(job.status, JSON.stringify(((await result.json()) as { output: object }).output))
