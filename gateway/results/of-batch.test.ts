import { describe, expect, it } from 'vitest'
import type { Item } from '../views/batch-item.ts'
import { ItemWindow } from './of-batch.ts'

const PAGE = 10

function windowOver(total: number) {
  const asked: (number | null)[] = []
  const item = (index: number): Item => ({
    reference: `item-${index}`,
    index,
    status: 'failed',
    chunk: 0,
    errorClass: 'internal',
    usage: null,
  })
  const window = new ItemWindow(async (after) => {
    asked.push(after)
    const first = after === null ? 0 : after + 1
    const length = Math.max(0, Math.min(PAGE, total - first))
    return { items: Array.from({ length }, (_, at) => item(first + at)) }
  })
  return { window, asked }
}

async function indexes(items: AsyncIterable<Item>) {
  const seen: number[] = []
  for await (const { index } of items) seen.push(index)
  return seen
}

describe('a window over the items of a batch', () => {
  it('gives what is asked for over as many pages as it takes', async () => {
    const { window, asked } = windowOver(25)

    expect(await indexes(window.between(0, 25))).toEqual(Array.from({ length: 25 }, (_, at) => at))
    expect(asked).toEqual([null, 9, 19])
  })

  it('asks once for what is in one page', async () => {
    const { window, asked } = windowOver(25)

    for (const first of [5, 7, 9, 11, 13]) expect(await indexes(window.between(first, 1))).toEqual([first])
    expect(asked).toEqual([4])
  })

  it('throws for an item that is not there', async () => {
    await expect(indexes(windowOver(3).window.between(2, 2))).rejects.toThrow('missing')
  })
})
