import { describe, expect, it } from 'vitest'
import { type CursorScope, decodeCursor, encodeCursor } from './cursor.ts'

const scope: CursorScope = ['acme', 'jobs', { status: 'failed', kind: undefined }]
const after = 'job_01kb1s3v00000000000000000000'

const cursorOf = async (of: CursorScope = scope) => (await encodeCursor(of, after)) ?? ''

describe('a cursor', () => {
  it('leads back to where its page ended', async () => {
    expect(await decodeCursor(scope, await cursorOf())).toBe(after)
  })

  it('is none at the end of a list, and leads to the start of it', async () => {
    expect(await encodeCursor(scope, null)).toBeNull()
    expect(await decodeCursor(scope, undefined)).toBeNull()
  })

  it('shows nothing of tenant and filter, and fits a URL as it is', async () => {
    const cursor = await cursorOf()

    expect(cursor).toMatch(/^[A-Za-z0-9._-]{1,512}$/)
    expect(cursor).not.toMatch(/acme|failed/)
  })

  it.each<[string, CursorScope]>([
    ['of another tenant', ['globex', 'jobs', { status: 'failed' }]],
    ['of another list', ['acme', 'batches', { status: 'failed' }]],
    ['of another filter', ['acme', 'jobs', { status: 'succeeded' }]],
    ['of a filter with more to it', ['acme', 'jobs', { status: 'failed', kind: 'embed' }]],
    ['without a filter', ['acme', 'jobs', {}]],
    ['without a tenant', [null, 'jobs', { status: 'failed' }]],
    ['that only reads alike', ['acme","jobs', { status: 'failed' }]],
  ])('is refused by the list %s', async (_, other) => {
    await expect(decodeCursor(other, await cursorOf())).rejects.toMatchObject({
      code: 'invalid-request',
      members: { errors: [{ parameter: 'cursor' }] },
    })
  })

  it.each<[string, (cursor: string) => string]>([
    ['is empty', () => ''],
    ['is an ID', () => after],
    ['is nonsense', () => 'nonsense'],
    ['has another binding', (cursor) => cursor.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))],
    ['has no binding', (cursor) => cursor.slice(cursor.indexOf('.'))],
    ['has no end', (cursor) => cursor.slice(0, cursor.indexOf('.') + 1)],
    ['has an end that is no base64', (cursor) => `${cursor.slice(0, 17)}abcde`],
    ['has more to it', (cursor) => `${cursor}.x`],
    ['leads elsewhere', (cursor) => `${cursor.slice(0, 17)}MTIz`],
    ['leads nowhere', (cursor) => cursor.slice(0, -4)],
    ['leads to the same place by other letters', (cursor) => cursor.replace(/A$/, 'B')],
    ['has a character of no cursor', (cursor) => `${cursor}=`],
    ['has space around it', (cursor) => ` ${cursor} `],
  ])('is refused when it %s', async (_, damage) => {
    await expect(decodeCursor(scope, damage(await cursorOf()))).rejects.toMatchObject({
      code: 'invalid-request',
    })
  })
})
