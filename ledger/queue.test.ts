import { describe, expect, it, vi } from 'vitest'
import { bodySha256, retryLater } from './queue.ts'

const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const abcSha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

describe('the hash of a body', () => {
  it.each<[string, unknown, string]>([
    ['text is that of its UTF-8', 'abc', abcSha256],
    ['bytes is that of the bytes', new TextEncoder().encode('abc').buffer, abcSha256],
    ['nothing is that of nothing', undefined, emptySha256],
    ['empty text is that of nothing', '', emptySha256],
  ])('of %s', async (_, body, hash) => {
    expect(await bodySha256(body)).toBe(hash)
  })

  it.each<[unknown]>([[{ v: 1, tenant_id: 'acme' }], [[1, 2]], [null], [42]])(
    'of %j is that of its JSON',
    async (body) => {
      expect(await bodySha256(body)).toBe(await bodySha256(JSON.stringify(body)))
    },
  )
})

describe('a message that is put off', () => {
  it.each([
    [1, 2],
    [2, 4],
    [3, 8],
    [8, 256],
    [9, 300],
    [100, 300],
  ])('after %i attempts waits %i seconds', (attempts, delaySeconds) => {
    const message = { id: '1', timestamp: new Date(0), body: null, attempts, ack: vi.fn(), retry: vi.fn() }

    retryLater(message)

    expect(message.retry).toHaveBeenCalledExactlyOnceWith({ delaySeconds })
    expect(message.ack).not.toHaveBeenCalled()
  })
})
