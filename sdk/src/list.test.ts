import { describe, expect, it } from 'vitest'
import { job, json, scripted } from './gateway.fixture.ts'

const page = (ids: readonly string[], next: string | null) =>
  json(200, { data: ids.map((id) => job({ id })), has_more: next !== null, next_cursor: next })

const events = (...ids: string[]) =>
  json(200, { data: ids.map((id) => ({ id, type: 'ping' })), has_more: false, next_cursor: null })

describe('a list', () => {
  it('is walked through page by page, under its filter', async () => {
    const { gateway, sent } = scripted([page(['a', 'b'], 'c 1'), page([], 'c2'), page(['c'], null)])
    const ids: string[] = []

    for await (const { id } of gateway.jobs.list({ status: 'failed', limit: 2 })) ids.push(id)

    expect(ids).toEqual(['a', 'b', 'c'])
    expect(sent.map(({ path }) => path)).toEqual([
      '/v1/jobs?status=failed&limit=2',
      '/v1/jobs?status=failed&limit=2&cursor=c%201',
      '/v1/jobs?status=failed&limit=2&cursor=c2',
    ])
  })

  it('is read no further than it is walked', async () => {
    const { gateway, sent } = scripted([page(['a', 'b'], 'c1')])

    for await (const { id } of gateway.jobs.list()) if (id === 'b') break

    expect(sent).toHaveLength(1)
  })

  it('may be read by pages', async () => {
    const { gateway } = scripted([page(['a'], 'c1'), page(['b'], null)])
    const sizes: number[] = []

    for await (const { data } of gateway.jobs.list().pages()) sizes.push(data.length)

    expect(sizes).toEqual([1, 1])
  })
})

describe('the feed', () => {
  it('is followed from the last event on, waiting where there is none', async () => {
    const { gateway, sent, pauses } = scripted([events('evt_1', 'evt_2'), events(), events('evt_3')])
    const seen: string[] = []

    for await (const { id } of gateway.events.follow({ after: 'evt_0', types: ['job.failed', 'ping'] })) {
      seen.push(id)
      if (id === 'evt_3') break
    }

    expect(seen).toEqual(['evt_1', 'evt_2', 'evt_3'])
    expect(sent.map(({ path }) => new URLSearchParams(path.split('?')[1]).get('after'))).toEqual([
      'evt_0',
      'evt_2',
      'evt_2',
    ])
    expect(new URLSearchParams(sent[0]?.path.split('?')[1]).get('types')).toBe('job.failed,ping')
    expect(sent.every(({ headers }) => headers.get('Prefer') === 'wait=20')).toBe(true)
    expect(pauses).toEqual([1000])
  })
})
