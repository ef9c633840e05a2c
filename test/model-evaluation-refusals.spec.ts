import { randomUUID } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { Client, fetchToken, request } from './support/client.ts'
import { contentUnder, inDirectory } from './support/control.ts'
import { audited } from './support/dead-letters.ts'
import {
  classifyEvaluation,
  EVALUATIONS,
  evaluate,
  evaluated,
  summarizeEvaluation,
} from './support/evaluations.ts'
import { expectStatus, newTenant, operator } from './support/tenant.ts'

const { clientId, clientSecret } = inject('stack').operator
const problem = (slug: string) => `https://api.gateway.test/problems/${slug}`

const labels = ['a', 'b']
const [text, file] = [
  { text: 'A text.', labels },
  { file_id: 'file_1', labels },
]
const classify = (more: object) => classifyEvaluation('test/limited', more)
const embed = (groups: number[]) => ({
  kind: 'embed',
  candidate_model: 'embedded/hash-2',
  cases: [{ input: { texts: ['one', 'two'] }, expected: { groups } }],
  reason: 'a spec',
})

describe('an evaluation is refused', () => {
  it.each<[string, object, string, RegExp?]>([
    ['of nothing', classify({ cases: [] }), '/cases'],
    ['of more than 50 cases', classify({ cases: Array(51).fill({ input: text }) }), '/cases'],
    ['without a reason', classify({ reason: undefined }), '/reason'],
    ['for a blank reason', classify({ reason: '   ' }), '/reason'],
    ['of no kind', classify({ kind: 'paint' }), '/kind'],
    [
      'of audio',
      { ...classify({ cases: [{ input: { file_id: 'file_1' } }] }), kind: 'transcribe' },
      '/kind',
      /none is audio/,
    ],
    ['of a file', classify({ cases: [{ input: text }, { input: file }] }), '/cases/1/input/file_id'],
    [
      'of a blank text',
      summarizeEvaluation('test/limited', { cases: [{ input: { text: ' ' } }] }),
      '/cases/0/input/text',
    ],
    ['with a label that is none', classify({ cases: [{ input: text, expected: 'c' }] }), '/cases/0/expected'],
    [
      'with an expectation of another kind',
      summarizeEvaluation('test/limited', { cases: [{ input: { text: 'A.' }, expected: 'A.' }] }),
      '/cases/0/expected',
    ],
    ['with a group too many', embed([0, 1, 1]), '/cases/0/expected/groups'],
    ['with one group only', embed([1, 1]), '/cases/0/expected/groups'],
    ['with unknown parameters', classify({ params: { max_words: 10 } }), '/params/max_words'],
    ['by an unknown field', classify({ dry_run: true }), '/dry_run'],
    ['without a candidate', classify({ candidate_model: undefined }), '/candidate_model'],
    ['of an unknown candidate', classifyEvaluation('embedded/hash-9'), '/candidate_model', /Unknown model/],
    ['of the present model', classifyEvaluation('embedded/hash-1'), '/candidate_model', /present model/],
    [
      'against itself by name',
      classify({ present_model: 'test/limited' }),
      '/candidate_model',
      /present model/,
    ],
    [
      'of a model that cannot do it',
      classifyEvaluation('embedded/hash-2'),
      '/candidate_model',
      /unsupported_kind/,
    ],
    [
      'against one that cannot do it',
      classify({ present_model: 'embedded/extract-1' }),
      '/present_model',
      /unsupported_kind/,
    ],
    [
      'against an unknown one',
      classify({ present_model: 'nobody/nothing' }),
      '/present_model',
      /Unknown model/,
    ],
    [
      'by a threshold out of bounds',
      classify({ thresholds: { max_quality_loss: 1.5 } }),
      '/thresholds/max_quality_loss',
    ],
    [
      'by a threshold that means nothing here',
      classify({ thresholds: { max_length_ratio: 2 } }),
      '/thresholds/max_length_ratio',
    ],
    [
      'by lengths that contradict each other',
      summarizeEvaluation('test/limited', { thresholds: { min_length_ratio: 2, max_length_ratio: 1 } }),
      '/thresholds/min_length_ratio',
    ],
    [
      'by a quality that nothing tells',
      classify({ cases: [{ input: text }], thresholds: { min_quality: 0.5 } }),
      '/thresholds/min_quality',
    ],
  ])('%s', async (_, body, pointer, detail = /./) => {
    const answer = await evaluate(body)

    expect([answer.status, answer.body.type]).toEqual([400, problem('invalid-request')])
    const named = answer.body.errors.filter((error) => error.pointer === pointer)
    expect(named, JSON.stringify(answer.body)).toHaveLength(1)
    expect(named[0]?.detail).toMatch(detail)
  })

  it('to whoever may not write, or is a tenant', async () => {
    const reader = new Client(await fetchToken(clientId, clientSecret, 'ops:read'))
    const acme = await newTenant()
    const body = classify({})

    const [asReader, asTenant] = [
      await reader.post(EVALUATIONS, body),
      await acme.client.post(EVALUATIONS, body),
    ]
    const nobody = await request('POST', EVALUATIONS, { json: body })

    expect([asReader.status, asReader.body.type]).toEqual([403, problem('insufficient-scope')])
    expect([asTenant.status, nobody.status]).toEqual([401, 401])
    expect((await reader.get(EVALUATIONS)).status).toBe(200)
  })
})

describe('a candidate', () => {
  it('that is not enabled is none of the models that customers can ask for', async () => {
    const acme = await newTenant()
    const job = { kind: 'embed', input: { texts: ['one'] }, model: 'embedded/hash-2' }

    const { status, body } = await acme.submit(job)

    expect([status, body.errors[0]?.pointer]).toEqual([400, '/model'])
  })
})

describe('evaluations', () => {
  it('that are asked for twice under one key are one, with one line in the audit log', async () => {
    const reason = `a spec: ${randomUUID()}`
    const headers = { 'Idempotency-Key': randomUUID() }
    const body = classify({ reason })

    const answers = await Promise.all([
      evaluate(body, headers),
      evaluate(body, headers),
      evaluate(body, headers),
    ])
    const other = await evaluate(classify({ reason: 'another reason' }), headers)

    const [id = ''] = new Set(answers.map(({ body }) => body.id))
    expect(answers.map(({ status, body }) => [status, body.id])).toEqual(Array(3).fill([202, id]))
    expect(other.status).toBe(422)
    expect(await inDirectory('select id from model_evaluations where reason = ?', reason)).toEqual([{ id }])
    expect(await audited(id)).toEqual([{ action: 'model_evaluation.create', operator: clientId, reason }])
    const begun = (await contentUnder('evaluations/')).map((key) => key.split('/')[1])
    const known = await inDirectory<{ id: string }>('select id from model_evaluations')
    expect(begun.filter((id) => !known.some((row) => row.id === id))).toEqual([])
  })

  it('are listed by status and candidate, newest first, without their reports', async () => {
    const ended = await evaluated(classifyEvaluation('test/batch-partial'))
    const newer = await evaluated(classifyEvaluation('test/batch-partial', { cases: [{ input: text }] }))
    const ops = await operator()
    const list = async (query: string) =>
      (await expectStatus(200, ops.get(`${EVALUATIONS}?candidate_model=test/batch-partial${query}`))).body

    const [all, passed] = [await list(''), await list('&status=passed')]
    const first = await list('&limit=1')
    const second = await list(`&limit=1&cursor=${first.next_cursor}`)

    expect(all.data.map(({ id, status }) => [id, status])).toEqual([
      [newer.id, 'failed'],
      [ended.id, 'passed'],
    ])
    const { report: _, ...shown } = ended
    expect(passed.data).toEqual([shown])
    expect([first, second].map(({ data }) => data[0]?.id)).toEqual([newer.id, ended.id])
    expect((await ops.get(`${EVALUATIONS}?status=running&cursor=${first.next_cursor}`)).status).toBe(400)
    expect((await ops.get(`${EVALUATIONS}?status=broken`)).status).toBe(400)
    expect((await ops.get(`${EVALUATIONS}/eval_unknown`)).status).toBe(404)
  })
})
