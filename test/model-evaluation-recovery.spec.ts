import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { contentUnder, inDirectory, logs, putContent, send, tick } from './support/control.ts'
import { letter } from './support/dead-letters.ts'
import { classifyEvaluation, evaluated, evaluationEnded, evaluationOf } from './support/evaluations.ts'
import { until } from './support/wait.ts'

const MINUTE_MS = 60_000
const { cases } = classifyEvaluation('')

/** One that is running, as it would be whose consumer was killed; `set` is what else is so. */
async function abandoned(set: Record<string, string | number> = {}): Promise<string> {
  const { id } = await evaluated(classifyEvaluation('test/limited'))
  const again = id.replace(
    /.{16}$/,
    randomUUID()
      .replaceAll(/[^0-9a-h]/g, '0')
      .slice(0, 16),
  )
  const changes = { status: 'running', created_at: Date.now(), lease_until: 0, due_at: 0, ...set }
  await inDirectory(
    `update model_evaluations set id = ?, report = null, finished_at = null,
     ${Object.keys(changes).map((name) => `${name} = ?`)} where id = ?`,
    ...[again, ...Object.values(changes), id],
  )
  return again
}

const keep = (id: string, name: string, content: object) =>
  putContent(`evaluations/${id}/${name}`, JSON.stringify(content))

const message = (id: string) => ({ v: 1, evaluation_id: id })
const hash = (body: object) => createHash('sha256').update(JSON.stringify(body)).digest('hex')

const deadLetterOf = (body: object) =>
  until('its dead letter', async () => {
    const [row] = await inDirectory<{ id: string }>(
      'select id from dead_letters where message_sha256 = ?',
      hash(body),
    )
    return row && letter(row.id)
  })

const answeredIn = async (id: string) =>
  (await logs()).filter((line) => line.includes('"evaluation.answered"') && line.includes(id)).length

describe('an evaluation whose consumer was killed', () => {
  it('goes on where it was, and asks nothing that was answered', async () => {
    const id = await abandoned({ due_at: Date.now() + 10 * MINUTE_MS })
    await keep(id, 'cases', cases)
    const failed = { class: 'content_filtered', empty: false, attempts: 1, latencyMs: null }
    await keep(id, 'answers/candidate-1', { ...failed, costMicroUsd: 250_000, measure: null })
    await send('evaluations', message(id))

    const ended = await evaluationEnded(id)

    expect(await answeredIn(id)).toBe(3)
    expect(ended.report).toMatchObject({
      error_classes: { candidate: { content_filtered: 1 } },
      cost_usd: 0.25,
    })
  })

  it('is sent again by the clock, and left alone by it while somebody is at work', async () => {
    const [lost, held] = [await abandoned(), await abandoned({ lease_until: Date.now() + 10 * MINUTE_MS })]
    for (const id of [lost, held]) await keep(id, 'cases', cases)

    await tick()

    expect((await evaluationEnded(lost)).status).toBe('passed')
    await send('evaluations', message(held))
    await send('evaluations', message(lost))
    expect((await evaluationOf(held)).status).toBe('running')
    await inDirectory('update model_evaluations set lease_until = 0 where id = ?', held)
    await send('evaluations', message(held))
    expect((await evaluationEnded(held)).status).toBe('passed')
  })

  it.each<[string, Record<string, string | number>, string]>([
    ['is given up after half an hour', { created_at: Date.now() - 31 * MINUTE_MS }, 'deadline_exceeded'],
    ['ends when the catalog has another version', { candidate_version: '0' }, 'model_changed'],
    ['ends when its inputs have gone', {}, 'internal'],
  ])('%s', async (_, set, errorClass) => {
    const id = await abandoned(set)

    await tick()

    const ended = await evaluationEnded(id)
    expect(ended).toMatchObject({ status: 'failed', report: null, error: { class: errorClass } })
  })
})

describe('what was asked and answered', () => {
  it('goes by the clock at the latest', async () => {
    const { id } = await evaluated(classifyEvaluation('test/limited'))
    await keep(id, 'answers/candidate-9', {})
    await inDirectory('update model_evaluations set content_until = 1 where id = ?', id)

    await tick()

    expect(await contentUnder(`evaluations/${id}/`)).toEqual([])
    const [row] = await inDirectory('select content_until from model_evaluations where id = ?', id)
    expect(row).toEqual({ content_until: null })
  })
})

describe('a message about an evaluation', () => {
  it('that the queue gave up fails it, and becomes a dead letter', async () => {
    const id = await abandoned({ due_at: Date.now() + 10 * MINUTE_MS })

    await send('evaluations-dlq', message(id))

    expect(await evaluationEnded(id)).toMatchObject({ status: 'failed', error: { class: 'internal' } })
    const dead = await deadLetterOf(message(id))
    expect(dead).toMatchObject({
      queue: 'evaluations',
      class: 'internal',
      status: 'open',
      redrivable: false,
      tenant_id: null,
    })
    expect(dead.redrive_reason).toContain(id)
  })

  it('that the queue gave up is superseded when it has ended', async () => {
    const ended = await evaluated(classifyEvaluation('test/limited'))

    await send('evaluations-dlq', message(ended.id))

    expect(await deadLetterOf(message(ended.id))).toMatchObject({ status: 'superseded' })
    expect(await evaluationOf(ended.id)).toEqual(ended)
  })

  it('that cannot be read is a dead letter; one of another version is not', async () => {
    const [poison, foreign] = [
      { v: 1, evaluation: randomUUID() },
      { v: 2, evaluation_id: randomUUID() },
    ]
    await send('evaluations', foreign)
    await send('evaluations', poison)

    expect(await deadLetterOf(poison)).toMatchObject({ queue: 'evaluations', class: 'unparseable' })
    expect(await inDirectory('select id from dead_letters where message_sha256 = ?', hash(foreign))).toEqual(
      [],
    )
  })
})
