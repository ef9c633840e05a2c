import { describe, expect, it } from 'vitest'
import { differences } from './answers.ts'

describe('what a sample printed', () => {
  it.each([
    ['json', '{ "id": "job_…", "attempts": 1 }', '{"id":"job_1","attempts":1}'],
    ['json', '{\n  "usage": "…",\n  "…": "…"\n}', 'noise\n{"usage":{"tokens":3},"kind":"embed"}\n'],
    ['json', '{ "data": [{ "id": "a" }, "…"] }', '{"data":[{"id":"a"},{"id":"b"}]}'],
    ['json', '{"index":0}\n{"index":1}', '{"status":"completed"}\n{"index":0}\n{"index":1}\n'],
    [
      'http',
      'HTTP/1.1 202 Accepted\nLocation: …/job_…\n\n{ "id": "…" }',
      'HTTP/1.1 202 Accepted\r\nlocation: http://x/job_1\r\nDate: now\r\n\r\n{"id":"job_1"}',
    ],
    ['text', 'evt_… job.failed', '\nevt_1 job.failed\n'],
  ])('is as shown: %s %j', (language, shown, printed) => {
    expect(differences(language, shown, printed)).toEqual([])
  })

  it.each([
    ['json', '{ "attempts": 1 }', '{"attempts":2}'],
    ['json', '{ "attempts": 1 }', '{"attempts":1,"kind":"embed"}'],
    ['json', '{ "error": null, "…": "…" }', '{"error":{"class":"timeout"}}'],
    ['json', '{ "gone": "…" }', '{}'],
    ['json', '{ "data": [] }', '{"data":[1]}'],
    ['json', '{ "data": [] }', '{"data":{}}'],
    ['json', '{"index":0}\n{"index":1}', '{"index":0}\n'],
    ['json', '{ "id": "job_…" }', '{"id":"batch_1"}'],
    ['http', 'HTTP/1.1 202 Accepted\n\n{}', 'HTTP/1.1 400 Bad Request\r\n\r\n{}'],
    ['http', 'HTTP/1.1 200 OK\nRetry-After: …', 'HTTP/1.1 200 OK\r\n\r\n'],
    ['text', 'one job', 'two jobs'],
  ])('is not as shown: %s %j', (language, shown, printed) => {
    expect(differences(language, shown, printed)).toHaveLength(1)
  })
})
