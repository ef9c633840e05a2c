import { describe, expect, it, vi } from 'vitest'
import { doom, doomedRefs, nextDoom } from './content-refs.ts'
import { Remover } from './remover.ts'
import { memoryStore } from './sqlite.fixture.ts'

const later = Date.now() + 3_600_000
const settled = () => new Promise((resolve) => setTimeout(resolve, 20))
const logged = () => vi.spyOn(console, 'log').mockImplementation(() => undefined)

/** An R2 that keeps what was deleted; `deleting` runs at each deletion and may throw. */
function startRemover(deleting: () => void = () => undefined) {
  const db = memoryStore()
  const deleted: string[] = []
  const bucket = {
    async delete(keys: string[]) {
      deleting()
      deleted.push(...keys)
    },
  } as unknown as R2Bucket
  return { db, deleted, remover: new Remover(db, bucket) }
}

describe('doomed content', () => {
  it('is deleted in pages until none is left', async () => {
    const { db, deleted, remover } = startRemover()
    const refs = Array.from({ length: 250 }, (_, at) => `ref-${at}`)
    doom(db, refs, 1)

    remover.remove(Date.now())
    await settled()

    expect(deleted.sort()).toEqual(refs.sort())
    expect([nextDoom(db), remover.nextAt(Date.now())]).toEqual([null, null])
  })

  it('waits for its time', async () => {
    const { db, deleted, remover } = startRemover()
    doom(db, ['now'], 1)
    doom(db, ['later'], later)

    remover.remove(Date.now())
    await settled()

    expect(deleted).toEqual(['now'])
    expect(remover.nextAt(Date.now())).toBe(later)
  })

  it('stays while R2 fails, and is tried again after a growing pause', async () => {
    const lines = logged()
    const { db, remover } = startRemover(() => {
      throw new Error('R2 is down.')
    })
    doom(db, ['a'], 1)
    const begun = Date.now()

    remover.remove(begun)
    await settled()
    remover.remove(begun)
    await settled()

    expect(lines).toHaveBeenCalledExactlyOnceWith('{"event":"content.remove_failed","error":"Error"}')
    expect(remover.nextAt(begun)).toBeGreaterThanOrEqual(begun + 5000)
    remover.remove(begun + 6000)
    await settled()
    expect(remover.nextAt(begun)).toBeGreaterThanOrEqual(begun + 10_000)
    expect(doomedRefs(db, begun, 10)).toEqual(['a'])
    lines.mockRestore()
  })

  it('that is doomed again while it is deleted is deleted again', async () => {
    const { db, remover } = startRemover(() => doom(db, ['a'], later))
    doom(db, ['a'], 1)

    remover.remove(Date.now())
    await settled()

    expect(doomedRefs(db, later, 10)).toEqual(['a'])
    expect(remover.nextAt(Date.now())).toBe(later)
  })

  it('is asked for again after a deletion that found nothing to do', async () => {
    const { db, deleted, remover } = startRemover()
    expect(remover.nextAt(Date.now())).toBeNull()

    doom(db, ['a'], 5)
    remover.remove(5)
    await settled()

    expect(deleted).toEqual(['a'])
    expect(remover.nextAt(Date.now())).toBeNull()
  })
})
