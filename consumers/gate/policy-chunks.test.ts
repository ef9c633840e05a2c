import { describe, expect, it } from 'vitest'
import { granted, newGate, PERMIT_MS, start } from './policy.fixture.ts'
import type { GatePolicy } from './policy.ts'

describe('a gate of chunks', () => {
  const out = (policy: GatePolicy, permit: string, now = start, jobId = permit) =>
    policy.hold({ permit, jobId, tenantId: 'a' }, now)

  it('counts what is out though it was never asked about it', () => {
    const { policy, ask } = newGate({ concurrent: 2 })
    out(policy, 'one')
    out(policy, 'two')

    expect(ask()).toMatchObject({ granted: false })
  })

  it('counts a chunk that is out once, under whatever name it asked', () => {
    const { policy, ask } = newGate({ concurrent: 2 })
    ask('a', start, 0, 'one/1', 'one')
    out(policy, 'one')

    expect(ask('a', start, 0, 'two/1', 'two')).toEqual(granted)
    expect(ask('a', start, 0, 'three/1', 'three')).toMatchObject({ granted: false })
  })

  it('lets a permit end that is not held anew', () => {
    const { policy, ask } = newGate({ concurrent: 1 })
    out(policy, 'one')
    out(policy, 'one', start + PERMIT_MS - 1)

    expect(ask('a', start + PERMIT_MS)).toMatchObject({ granted: false })
    expect(ask('a', start + 2 * PERMIT_MS)).toEqual(granted)
  })
})
