import { describe, expect, it } from 'vitest'
import { granted, MINUTE, newGate, SECOND, start } from './policy.fixture.ts'

describe('the share of a tenant', () => {
  it('is everything while nobody else waits', () => {
    const { ask } = newGate()

    expect(Array.from({ length: 4 }, () => ask('a'))).toEqual(Array(4).fill(granted))
  })

  it('shrinks to its part once another waits, so that the other gets the next slots', () => {
    const { ask, report } = newGate()
    for (let at = 0; at < 4; at++) ask('a')
    expect(ask('b')).toMatchObject({ granted: false })
    report('permit-0', 'answered')

    expect(ask('a')).toMatchObject({ granted: false })
    expect(ask('b')).toEqual(granted)
  })

  it('is the first turn of all after ten seconds, so that a large call finds its tokens together', () => {
    const { ask, report } = newGate({ tokensPerMinute: 100, concurrent: 4 })
    let neighbours = 0
    let grantedAt = 0
    for (let now = start; now < start + 10 * MINUTE && grantedAt === 0; now += SECOND) {
      for (const permit of [`small-${now}-1`, `small-${now}-2`])
        if (ask('neighbour', now, 1, permit).granted) {
          neighbours++
          report(permit, 'answered', now)
        }
      if (now > start + MINUTE && ask('large', now, 90, `large-${now}`).granted) grantedAt = now
    }

    expect(grantedAt).toBeGreaterThan(0)
    expect(grantedAt - start).toBeLessThan(4 * MINUTE)
    expect(neighbours).toBeGreaterThan(100)
    expect(ask('neighbour', grantedAt + SECOND, 1, 'after').granted).toBe(true)
  })

  it('keeps nobody out for others that have waited longer while there are tokens for both', () => {
    const { ask, report } = newGate({ concurrent: 2 })
    ask('a', start, 1, 'one')
    ask('a', start, 1, 'two')
    ask('b', start, 10, 'three')
    const later = start + 11 * SECOND
    ask('b', later, 10, 'four')
    report('one', 'answered', later)
    report('two', 'answered', later)

    expect(ask('c', later)).toEqual(granted)
  })

  it('grows again when the other has gone', () => {
    const { ask, report } = newGate()
    for (let at = 0; at < 4; at++) ask('a')
    ask('b')
    report('permit-0', 'answered')

    expect(ask('a', start + 17 * SECOND)).toEqual(granted)
  })
})
