/** The one who listens on the port: a workerd that passes requests on to the one that runs the Workers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { commandOf, processesOf } from './processes.ts'

const READY_MS = 120_000
const READY_POLL_MS = 100
const POLL_MS = 1000
const ANSWER_MS = 10_000

/** Whether the gateway answers within the time that it has to start. */
export async function becomesReady(baseUrl: string): Promise<boolean> {
  for (const until = Date.now() + READY_MS; Date.now() < until; await sleep(READY_POLL_MS))
    if (await answers(baseUrl)) return true
  return false
}

/**
 * Resolves when nobody answers any more because it was killed: wrangler replaces it by one that takes connections and never answers.
 * (One that runs the Workers is replaced by one that works.)
 */
export async function frontLost(root: string, baseUrl: string): Promise<void> {
  const { port } = new URL(baseUrl)
  const listener = () => processesOf(root).find((pid) => commandOf(pid).includes(`entry=localhost:${port}`))
  for (let front = listener(); ; front = listener()) {
    while (front === undefined || commandOf(front)) await sleep(POLL_MS, null, { ref: false })
    if (!(await answers(baseUrl))) return
  }
}

const answers = (baseUrl: string) =>
  fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    async (response) => (await response.text()) !== '' && response.ok,
    () => false,
  )
