import { describe, expect, it } from 'vitest'
import { BoundedCache } from './bounded-cache.ts'

describe('a cache', () => {
  it('keeps a value until it expires', () => {
    const cache = new BoundedCache<string>(2)
    cache.put('a', 'x', 1000)

    expect([cache.get('a', 999), cache.get('a', 1000), cache.get('b', 0)]).toEqual([
      'x',
      undefined,
      undefined,
    ])
  })

  it('makes room by the value put in longest ago', () => {
    const cache = new BoundedCache<number>(2)
    cache.put('a', 1, 1000)
    cache.put('b', 2, 1000)
    cache.put('a', 3, 1000)
    cache.put('c', 4, 1000)

    expect(['a', 'b', 'c'].map((key) => cache.get(key, 0))).toEqual([3, undefined, 4])
  })
})
