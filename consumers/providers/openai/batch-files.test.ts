import { describe, expect, it } from 'vitest'
import type { ChunkCall } from '../../batch-provider.ts'
import { accepted, askedFor, chunk, ended, type Fetch, provider, server, useOpenAi } from './batch.fixture.ts'

useOpenAi()

describe('the files of a chunk at OpenAI', () => {
  const filesOf = ({ key }: ChunkCall) => {
    const input = askedFor(key)?.body.input_file_id
    return { input: server.files.has(String(input)), all: server.files.size }
  }

  it('are deleted: the input when the answers are read, the others when these are stored', async () => {
    const before = server.files.size
    const sent = await accepted(chunk('fault:400'))
    expect(filesOf(sent).input).toBe(true)
    await ended(sent)
    expect(filesOf(sent)).toEqual({ input: false, all: before + 2 })
    await provider().forget?.(sent)

    expect(server.files.size).toBe(before)
  })

  it('stay while the batch runs', async () => {
    const sent = await accepted(chunk())
    const running = { id: sent.requestId, status: 'in_progress', created_at: 1, input_file_id: 'file-1' }
    const asked: string[] = []
    const call: Fetch = async (url, init) => {
      asked.push(`${init?.method} ${new URL(String(url)).pathname}`)
      return Response.json(running)
    }

    expect(await provider({ fetch: call }).read(sent)).toEqual({ kind: 'pending' })
    expect(asked).toEqual([expect.stringMatching(/^GET .*\/batches\//)])
  })

  it('of another submission are not touched', async () => {
    const sent = await accepted(chunk('batch-state:others'))
    await ended(sent)
    await provider().forget?.(sent)

    expect(filesOf(sent).input).toBe(true)
  })

  it('may stay when they cannot be deleted', async () => {
    const sent = await accepted(chunk('batch-delete:500'))

    expect(await ended(sent)).toMatchObject({ kind: 'done' })
    await expect(provider().forget?.(sent)).resolves.toBeUndefined()
  })

  it('may stay when the batch cannot be asked for', async () => {
    const lost: Fetch = () => Promise.reject(new TypeError('The connection was lost.'))

    await expect(provider({ fetch: lost }).forget?.(await accepted(chunk()))).resolves.toBeUndefined()
  })

  it('do not stay when the batch is refused', async () => {
    const before = server.files.size
    await provider().submit(chunk('batch-create:400'))

    expect(server.files.size).toBe(before)
  })
})
