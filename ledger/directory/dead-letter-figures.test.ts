import { beforeEach, describe, expect, it } from 'vitest'
import { deadLetterFigures } from './dead-letter-figures.ts'
import { recordDeadLetter, recordMessageDeadLetter } from './dead-letter-records.ts'
import { peopledDirectory } from './directory.fixture.ts'
import { type Directory, openDirectory } from './open.ts'
import { deadLetters } from './schema.ts'

const at = Date.parse('2026-11-30T10:00:00.000Z')

let directory: Directory
beforeEach(async () => {
  directory = openDirectory((await peopledDirectory('acme')).database)
})

const failed = {
  tenantId: 'acme',
  queue: 'jobs',
  class: 'timeout' as const,
  attempts: 6,
  createdAt: at,
  inputKeptUntil: null,
  model: 'test/unavailable',
}
const ofJob = (jobId: string, more: object = {}) => recordDeadLetter(directory, { ...failed, jobId, ...more })
const ofBatch = (batchId: string) => recordDeadLetter(directory, { ...failed, batchId })
const ofMessage = (messageSha256: string, more: object = {}) =>
  recordMessageDeadLetter(directory, {
    queue: 'jobs',
    messageSha256,
    attempts: 3,
    class: 'unparseable',
    status: 'open',
    tenantId: null,
    jobId: null,
    batchId: null,
    createdAt: at,
    why: 'The message could not be read.',
    ...more,
  })

describe('the figures of dead letters', () => {
  it('are nothing at first', async () => {
    expect(await deadLetterFigures(directory)).toEqual({ totals: [], open: 0, oldestOpenAt: null })
  })

  it('count each letter once, by queue and class, however often it is written', async () => {
    for (const _ of [1, 2]) {
      await ofJob('job_a')
      await ofJob('job_b', { class: 'internal', queue: 'jobs-slow', createdAt: at + 5 })
      await ofBatch('batch_a')
      await ofMessage('aa')
      await ofMessage('bb')
    }

    expect(await deadLetterFigures(directory)).toEqual({
      totals: [
        { queue: 'jobs', class: 'timeout', recorded: 2 },
        { queue: 'jobs-slow', class: 'internal', recorded: 1 },
        { queue: 'jobs', class: 'unparseable', recorded: 2 },
      ],
      open: 5,
      oldestOpenAt: at,
    })
  })

  it('count a job that fails after it was recovered a second time, and one that stands no more', async () => {
    await ofMessage('aa', { class: 'internal', status: 'recovered', jobId: 'job_a' })
    for (const _ of [1, 2]) await ofJob('job_a')
    await ofMessage('bb', { class: 'internal', status: 'superseded', jobId: 'job_a' })

    expect((await deadLetterFigures(directory)).totals).toEqual([
      { queue: 'jobs', class: 'internal', recorded: 1 },
      { queue: 'jobs', class: 'timeout', recorded: 1 },
    ])
  })

  it('never fall, though letters go', async () => {
    await ofJob('job_a')
    await directory.delete(deadLetters)

    expect(await deadLetterFigures(directory)).toEqual({
      totals: [{ queue: 'jobs', class: 'timeout', recorded: 1 }],
      open: 0,
      oldestOpenAt: null,
    })
  })
})
