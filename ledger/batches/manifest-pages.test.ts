import { describe, expect, it } from 'vitest'
import type { ManifestItem } from '../schema.ts'
import { ManifestPages } from './manifest-pages.ts'
import { PAGE_ITEMS } from './plan.ts'

const item = {} as ManifestItem
const naming = (...ids: string[]) => ids.map((fileId) => ({ pointer: '/input/file_id', fileId }))

describe('the pages of a manifest', () => {
  it('are full but for the last, and each names the files that its own items need, once', () => {
    const pages = new ManifestPages()
    const whole = Array.from({ length: PAGE_ITEMS }, (_, at) =>
      pages.add(item, naming(`file_${at % 2}`)),
    ).flat()
    const rest = [...pages.add(item, naming('file_9')), ...pages.end(), ...pages.end()]

    expect(whole).toMatchObject([{ page: 0, items: { length: PAGE_ITEMS }, fileIds: ['file_0', 'file_1'] }])
    expect(rest).toMatchObject([{ page: 1, items: { length: 1 }, fileIds: ['file_9'] }])
    expect(pages.items).toBe(PAGE_ITEMS + 1)
  })
})
