/**
 * The same items as single jobs, as fast as a customer can have them: many requests at once, the feed to learn which jobs have ended
 * while others are still being sent, and each result read as soon as it is there.
 */
import type { Agent } from 'node:http'
import type { Caller } from '../support/gateway.ts'
import { ask, fireTimes, keepAlive } from '../support/load.ts'
import { type FeedEvent, follow } from './feed.ts'
import { inputOf, KIND, MODEL, Results, referenceOf } from './items.ts'

const SUBMITTING = 24
const READING = 16
const ENDS = ['job.result_available', 'job.failed']

export async function embedByJobs(tenant: Caller, items: number): Promise<Results> {
  const agents = [keepAlive(SUBMITTING), keepAlive(READING)] as const
  try {
    const [, results] = await Promise.all([
      submit(tenant, items, agents[0]),
      readResults(tenant, items, agents[1]),
    ])
    return results
  } finally {
    for (const agent of agents) agent.destroy()
  }
}

function submit(tenant: Caller, items: number, agent: Agent) {
  let index = 0
  const shot = () => {
    const body = {
      kind: KIND,
      model: MODEL,
      input: inputOf(index),
      metadata: { reference: referenceOf(index) },
    }
    index++
    return tenant.shot('POST', '/v1/jobs', body)
  }
  return fireTimes({ url: tenant.url, shot, expect: 202 }, SUBMITTING, items, agent)
}

async function readResults(tenant: Caller, items: number, agent: Agent): Promise<Results> {
  const results = new Results()
  for await (const events of follow(tenant, ENDS, agent)) {
    await readSome(tenant, events, results, agent)
    if (results.count === items) break
  }
  return results
}

async function readSome(tenant: Caller, events: readonly FeedEvent[], results: Results, agent: Agent) {
  const left = events.values()
  const read = async () => {
    for (const { data } of left)
      results.add(data.metadata.reference ?? '', await outputOf(tenant, data.id, agent))
  }
  await Promise.all(Array.from({ length: READING }, read))
}

async function outputOf({ url, authorization }: Caller, id: string, agent: Agent): Promise<unknown> {
  const headers = { Authorization: authorization }
  const shot = { method: 'GET', path: `/v1/jobs/${id}/result`, headers, body: '' }
  return (JSON.parse(await ask(url, shot, 200, agent)) as { output: unknown }).output
}
