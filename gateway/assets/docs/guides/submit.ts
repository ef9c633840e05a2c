// submit.ts
import { setTimeout as sleep } from 'node:timers/promises'

const { BASE, TOKEN } = process.env
const TRIES = 8
const CAP_SECONDS = 60

/** Sends one piece of work until there is an answer. `key` is stored before this is called. */
async function submit(key: string, job: object): Promise<{ id: string }> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(`${BASE}/v1/jobs`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${TOKEN}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      body: JSON.stringify(job),
      signal: AbortSignal.timeout(30_000),
    }).catch(() => null) // no answer: nobody knows whether it was recorded
    if (response?.status === 202) return (await response.json()) as { id: string }
    if (response && !(await isWorthAnother(response))) throw new Error(await response.text())
    if (tries === TRIES)
      throw new Error(`No answer in ${TRIES} tries; the key ${key} stays good for another.`)
    await sleep(secondsToWait(response, tries) * 1000)
  }
}

async function isWorthAnother(response: Response): Promise<boolean> {
  if (response.status === 429 || response.status >= 500) return true
  if (response.status !== 409) return false
  const { type } = (await response.clone().json()) as { type: string }
  return type.endsWith('/problems/idempotency-in-progress')
}

/** What the service asks for and a little more, else twice as long each time with full jitter. */
function secondsToWait(response: Response | null, tries: number): number {
  const asked = Number(response?.headers.get('Retry-After') ?? 0)
  return asked > 0 ? asked * (1 + Math.random() / 4) : Math.random() * Math.min(CAP_SECONDS, 2 ** tries)
}

const job = { kind: 'summarize', input: { text: 'Everyone has the right to recognition before the law.' } }
const [first, again] = [await submit('article-6', job), await submit('article-6', job)]
console.log(first.id === again.id ? 'one job' : 'two jobs')
