import { describe, expect, it } from 'vitest'
import { hourFolder, inputKey, jobOfOutput, outputFolder, outputKey } from './content.ts'

const HOUR_MS = 3_600_000

describe('a key of content', () => {
  it('tells the hour in which input was stored', () => {
    const key = inputKey('acme', { hash: 'h', fingerprint: 'f' }, 490_000 * HOUR_MS + 5)

    expect(key).toBe('t/acme/in/490000/hf')
    expect(key.startsWith(hourFolder('acme', 'in', 490_000))).toBe(true)
    expect(key < hourFolder('acme', 'in', 490_001)).toBe(true)
  })

  it.each([
    [outputKey('acme', 'job_1', 2), 'job_1'],
    [outputFolder('acme', 'job_1'), null],
    ['t/acme/in/490000/hf', null],
    ['t/acme/out/job_1/2/3', null],
    ['', null],
  ])('%j tells the job of an output: %j', (key, job) => {
    expect(jobOfOutput(key)).toBe(job)
  })
})
