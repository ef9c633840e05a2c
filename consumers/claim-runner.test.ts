import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Lease } from '../ledger/claim.ts'
import type { Settlement } from '../ledger/settle.ts'
import { ClaimRunner, type Tenancy } from './claim-runner.ts'
import { Gates } from './gate/gates.ts'
import type { PermitAnswer } from './gate/policy.ts'
import { Semaphore } from './semaphore.ts'

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
})
afterEach(() => vi.restoreAllMocks())

const leaseOn = (model: string): Lease => ({
  jobId: 'job_1',
  attempt: 1,
  until: Date.now() + 60_000,
  kind: 'summarize',
  model,
  input: JSON.stringify({ text: 'All human beings are born free.' }),
  inputRef: null,
  params: null,
  files: [],
  traceparent: null,
  expectedTokens: 10,
  providerKey: 'job_1-0',
})

interface World {
  readonly answer?: PermitAnswer
  readonly settle?: (items: Settlement[]) => Promise<unknown[]>
}

const settledWell = async (items: Settlement[]) =>
  items.map(() => ({ kind: 'settled', status: 'succeeded', retryInMs: null, costMicroUsd: 0 }))

/** One message that holds a lease, run in a world where the ledger and the gate answer like this. */
async function run(model: string, { answer = { granted: true }, settle = settledWell }: World = {}) {
  const said: string[] = []
  const ledger = {
    settleJobs: (items: Settlement[]) => settle(items).finally(() => said.push('settle')),
    releaseJobs: async (items: { notBefore: number }[]) => {
      for (const { notBefore } of items) said.push(`give back ${notBefore}`)
      return items.map(() => null)
    },
    heartbeat: async () => [],
  }
  const gate = {
    ask: async (_: string, requests: unknown[]) => requests.map(() => answer),
    report: async (_: string, reports: unknown[]) => {
      said.push('report')
      return reports.map(() => null)
    },
  }
  const message = { attempts: 1, ack: () => said.push('ack'), retry: () => said.push('retry') }
  const tenancy = {
    tenantId: 'acme',
    stub: () => ledger,
    env: {},
    settings: { runTimeoutMs: 5000, gatePauseMs: 1, openai: null },
    slots: new Semaphore(1),
    gates: new Gates({ getByName: () => gate } as unknown as ConsumersEnv['GATES']),
  } as unknown as Tenancy
  const claims = [{ messageId: 'm1', lease: leaseOn(model) }]
  await new ClaimRunner(tenancy).run(claims, new Map([['m1', message as unknown as Message]]))
  return said
}

describe('a claim that holds', () => {
  it('runs, settles, and only then acknowledges its message', async () => {
    expect(await run('embedded/extract-1')).toEqual(['settle', 'ack'])
  })

  it('asks the gate of a model with limits, and reports how the call ended', async () => {
    const said = await run('test/limited')

    expect(said.toSorted()).toEqual(['ack', 'report', 'settle'])
    expect(said.at(-1)).toBe('ack')
  })

  it('is given back when the gate is closed, and not settled', async () => {
    expect(await run('test/limited', { answer: { granted: false, notBefore: 77 } })).toEqual([
      'give back 77',
      'ack',
    ])
  })

  it('leaves its message to the queue when the ledger is out of reach', async () => {
    const settle = () => Promise.reject(new Error('The ledger is away.'))

    expect(await run('embedded/extract-1', { settle })).toEqual(['settle', 'retry'])
  })

  it('is told again to a ledger that was reset in the middle', async () => {
    let calls = 0
    const settle = async (items: Settlement[]) => {
      if (calls++ === 0) throw Object.assign(new Error('reset'), { retryable: true })
      return settledWell(items)
    }

    expect(await run('embedded/extract-1', { settle })).toEqual(['settle', 'settle', 'ack'])
  })
})
