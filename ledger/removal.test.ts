import { describe, expect, it } from 'vitest'
import { removeObjects } from './removal.ts'

/** A bucket that lists in pages of `page` and takes at most 1,000 keys in one deletion, as R2 does. */
function bucketOf(keys: string[], page = 1000) {
  const stored = new Set(keys)
  return {
    stored,
    async list({ prefix = '' }: { prefix?: string } = {}) {
      const found = [...stored].filter((key) => key.startsWith(prefix))
      return { objects: found.slice(0, page).map((key) => ({ key })), truncated: found.length > page }
    },
    async delete(deleted: string | string[]) {
      if (deleted.length > 1000) throw new Error('Too many keys.')
      for (const key of [deleted].flat()) stored.delete(key)
    },
  } as unknown as Pick<R2Bucket, 'list' | 'delete'> & { stored: Set<string> }
}

const many = (count: number, prefix: string) => Array.from({ length: count }, (_, at) => `${prefix}${at}`)

describe('removing objects', () => {
  it.each([
    ['nothing', [], ['a', 'b'], ['a', 'b']],
    ['by key', ['a', 'c'], ['a', 'b', 'c'], ['b']],
    ['by folder', ['x/'], ['x/1', 'x/2', 'xy/1'], ['xy/1']],
    ['by key and folder', ['a', 'x/'], ['a', 'ab', 'x/1'], ['ab']],
    ['what is not there', ['a', 'x/'], ['b'], ['b']],
    ['more keys than one call takes', many(2500, 'k'), many(2501, 'k'), ['k2500']],
  ])('removes %s', async (_, refs, before, after) => {
    const bucket = bucketOf(before)

    await removeObjects(bucket, refs)

    expect([...bucket.stored]).toEqual(after)
  })

  it('empties a folder of several pages', async () => {
    const bucket = bucketOf(many(7, 'x/'), 3)

    await removeObjects(bucket, ['x/'])

    expect([...bucket.stored]).toEqual([])
  })
})
