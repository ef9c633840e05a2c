import { describe, expect, it } from 'vitest'
import { DeliveryLeases } from './delivery-leases.ts'

describe('deliveries that are out', () => {
  it('are held for their endpoint until they are released or lost', () => {
    const leases = new DeliveryLeases()
    leases.hold('a', 1, 100)
    leases.hold('a', 2, 200)
    leases.hold('b', 1, 50)

    expect([leases.held('a', 99), leases.held('b', 49), leases.held('c', 0)]).toEqual([[1, 2], [1], []])
    expect([leases.nextEnd('a'), leases.nextEnd('c')]).toEqual([100, null])
    leases.release('a', 2)
    expect([leases.held('a', 99), leases.held('a', 100), leases.held('b', 50)]).toEqual([[1], [], []])
    expect(leases.nextEnd('a')).toBeNull()
  })

  it('may be released without having been held', () => {
    const leases = new DeliveryLeases()
    leases.release('a', 1)

    expect(leases.held('a', 0)).toEqual([])
  })
})
