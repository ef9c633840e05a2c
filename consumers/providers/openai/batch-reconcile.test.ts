import { describe, expect, it } from 'vitest'
import { submitted } from '../batch/chunk.fixture.ts'
import { answersOf, chunk, ended, type Fetch, provider, server, useOpenAi } from './batch.fixture.ts'

useOpenAi()

describe('a chunk whose outcome at OpenAI is unknown', () => {
  it.each(['cut-in-body', 'empty-200'])('is found by its key after %s', async (fault) => {
    const request = chunk(`batch-create:${fault}`)
    await provider().submit(request)
    const found = await provider().reconcile(request)
    if (found.kind !== 'found') throw new Error(found.kind)

    expect(answersOf(await ended(submitted(request, found.requestId)))).toHaveLength(3)
    expect(server.effects.get(request.key)).toBe(1)
  })

  it('is absent when it never came', async () => {
    const request = chunk('batch-create:500')
    await provider().submit(request)

    expect(await provider().reconcile(request)).toEqual({ kind: 'absent' })
  })

  it('cannot be told now when the list cannot be read', async () => {
    expect(await provider({ url: 'http://127.0.0.1:9/v1' }).reconcile(chunk())).toEqual({
      kind: 'unknowable',
      later: true,
    })
    const html = async () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } })
    expect(await provider({ fetch: html }).reconcile(chunk())).toEqual({ kind: 'unknowable', later: true })
  })

  describe('among many', () => {
    const batch = (at: number, created_at: number, key = 'another') => ({
      id: `batch_${at}`,
      status: 'completed',
      created_at,
      metadata: { submission: key },
    })
    /** Answers with these pages, the last one for ever. */
    const listOf = (...pages: ReturnType<typeof batch>[][]) => {
      const asked: string[] = []
      const call: Fetch = async (url) => {
        asked.push(String(url))
        return Response.json({ data: pages[Math.min(asked.length, pages.length) - 1] })
      }
      return { asked, call }
    }
    const since = Date.UTC(2026, 10, 30)
    const now = since / 1000

    it('is looked for on all pages', async () => {
      const request = chunk()
      const { call, asked } = listOf([batch(1, now)], [batch(2, now)], [batch(3, now, request.key)])

      expect(await provider({ fetch: call, since }).reconcile(request)).toMatchObject({
        requestId: 'batch_3',
      })
      expect(asked.map((url) => new URL(url).searchParams.get('after'))).toEqual([null, 'batch_1', 'batch_2'])
    })

    it('is found beside one whose files have names that cannot be read', async () => {
      const request = chunk()
      const odd = { ...batch(1, now), output_file_id: 7 }
      const { call } = listOf([odd, batch(2, now, request.key)])

      expect(await provider({ fetch: call, since }).reconcile(request)).toMatchObject({
        requestId: 'batch_2',
      })
    })

    it('is not looked for among those that are older than it can be', async () => {
      const { call, asked } = listOf([batch(1, now)], [batch(2, now - 7200)])

      expect(await provider({ fetch: call, since }).reconcile(chunk())).toEqual({ kind: 'absent' })
      expect(asked).toHaveLength(2)
    })

    it('may have been noted by a clock that is late, and stand behind older ones', async () => {
      const request = chunk()
      const late = listOf([batch(1, now - 1800)], [batch(2, now - 1800, request.key)])
      const mixed = listOf([batch(1, now), batch(2, now - 7200)], [batch(3, now, request.key)])

      for (const { call } of [late, mixed])
        expect(await provider({ fetch: call, since }).reconcile(request)).toMatchObject({ kind: 'found' })
    })

    it('is not looked for behind the last page', async () => {
      let asked = 0
      const call: Fetch = async () => Response.json({ data: [batch(++asked, now)], has_more: false })

      expect(await provider({ fetch: call, since }).reconcile(chunk())).toEqual({ kind: 'absent' })
      expect(asked).toBe(1)
    })

    it('is not looked for without an end', async () => {
      const { call, asked } = listOf([batch(1, now)])

      expect(await provider({ fetch: call, since }).reconcile(chunk())).toEqual({ kind: 'unknowable' })
      expect(asked).toHaveLength(50)
    })
  })
})
