import { describe, expect, it } from 'vitest'
import { evaluationCasesKey } from '../../ledger/content.ts'
import { memoryDirectory } from '../../ledger/directory/directory.fixture.ts'
import { addEvaluation, type EvaluationRow, findEvaluation } from '../../ledger/directory/evaluations.ts'
import { openDirectory } from '../../ledger/directory/open.ts'
import { standardThresholds } from '../../openapi/evaluation-thresholds.ts'
import type { Provider, ProviderRequest } from '../provider.ts'
import { test } from '../providers/test.ts'
import { takeTurn } from './turn.ts'

const CREATED = 1_000_000
const MINUTE_MS = 60_000
const ID = 'eval_1'

const cases = Array.from({ length: 10 }, (_, at) => ({
  input: { text: `Ship ${at} left the harbour. It was Monday.` },
  expected: { phrases: [`ship ${at}`] },
}))

const row: EvaluationRow = {
  id: ID,
  status: 'running',
  kind: 'summarize',
  presentModel: 'embedded/extract-1',
  presentVersion: '1',
  candidateModel: 'test/limited',
  candidateVersion: '1',
  params: null,
  thresholds: standardThresholds,
  cases: cases.length,
  labelledCases: cases.length,
  createdBy: 'client_1',
  reason: 'a test',
  createdAt: CREATED,
  finishedAt: null,
  errorClass: null,
  report: null,
  lease: null,
  leaseUntil: 0,
  dueAt: CREATED,
  contentUntil: CREATED,
}

/** A bucket in memory; `broken`: how many of the next writes fail. */
function memoryContent() {
  const objects = new Map<string, string>()
  const faults = { left: 0 }
  const bucket = {
    async put(key: string, text: string, { onlyIf }: { onlyIf?: unknown } = {}) {
      if (faults.left-- > 0) throw new Error('The bucket is out of reach.')
      if (onlyIf && objects.has(key)) return null
      objects.set(key, text)
      return { key }
    },
    async get(key: string) {
      const text = objects.get(key)
      return text === undefined ? null : { json: async () => JSON.parse(text) as unknown }
    },
    async list({ prefix }: { prefix: string }) {
      return { objects: [...objects.keys()].filter((key) => key.startsWith(prefix)).map((key) => ({ key })) }
    },
    async delete(keys: string[]) {
      for (const key of keys) objects.delete(key)
    },
  }
  return { bucket: bucket as unknown as R2Bucket, objects, faults }
}

/** An evaluation whose calls take `callMs` each. */
async function rig(callMs: number) {
  let now = CREATED
  const { database } = memoryDirectory()
  const directory = openDirectory(database)
  const content = memoryContent()
  await addEvaluation(directory, row, { operator: 'client_1', reason: 'a test', at: now, kept: null })
  content.objects.set(evaluationCasesKey(ID), JSON.stringify(cases))
  const requests: string[] = []
  const provider: Provider = {
    run(request: ProviderRequest) {
      requests.push(request.idempotencyKey)
      now += callMs
      return test.run({ ...request, model: 'test/limited' })
    },
  }
  const parts = {
    env: { DIRECTORY: database, CONTENT: content.bucket },
    gates: { closedUntil: async () => null, report: async () => undefined },
    providers: { embedded: provider, test: provider },
    timeoutMs: 1000,
    now: () => now,
    random: () => 0,
    sleep: async (ms: number) => {
      now += ms
    },
  }
  return {
    ...content,
    requests,
    turn: () => takeTurn(ID, parts),
    found: () => findEvaluation(directory, ID),
  }
}

async function turnsOf(turn: () => Promise<boolean>): Promise<number> {
  let turns = 1
  while (await turn()) turns++
  return turns
}

describe('an evaluation', () => {
  it('goes on in further turns, and asks everything once', async () => {
    const { turn, found, requests, objects } = await rig(MINUTE_MS)

    expect(await turnsOf(turn)).toBeGreaterThan(2)

    expect(new Set(requests).size).toBe(20)
    expect(requests).toHaveLength(20)
    expect(await found()).toMatchObject({ status: 'passed', leaseUntil: 0 })
    expect([...objects.keys()]).toEqual([])
    expect(await turn()).toBe(false)
  })

  it('ends with what there is when it takes too long', async () => {
    const { turn, found, requests } = await rig(2 * MINUTE_MS)

    await turnsOf(turn)

    const ended = await found()
    const { present = {}, candidate = {} } = ended?.report?.error_classes ?? {}
    expect(requests.length).toBeLessThan(20)
    expect(ended?.status).toBe('failed')
    expect((present.not_attempted ?? 0) + (candidate.not_attempted ?? 0)).toBe(20 - requests.length)
    // The clock of this test goes on with each of four calls at once.
    expect((ended?.finishedAt ?? 0) - CREATED).toBeLessThanOrEqual((25 + 4 * 2) * MINUTE_MS)
  })

  it('is worked on by one of two that come at once', async () => {
    const { turn, found, requests } = await rig(1)

    expect(await Promise.all([turn(), turn()])).toEqual([false, false])

    expect(requests).toHaveLength(20)
    expect((await found())?.status).toBe('passed')
  })

  it('goes on after a fault where it was', async () => {
    const { turn, found, requests, objects, faults } = await rig(1)
    faults.left = 3

    await expect(turn()).rejects.toThrow('out of reach')
    const kept = [...objects.keys()].filter((key) => key.includes('/answers/')).length
    expect((await found())?.status).toBe('running')
    await turn()

    expect((await found())?.status).toBe('passed')
    expect(kept).toBe(17)
    expect(requests).toHaveLength(20 + 3)
    expect(new Set(requests).size).toBe(20)
  })
})
