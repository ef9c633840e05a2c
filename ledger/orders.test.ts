import { describe, expect, it } from 'vitest'
import { agree, concerning, isHeld, isPaused, meet, noOrders, type Orders } from './orders.ts'

type Pause = Orders['pauses'][number]
const pause = (more: Partial<Pause> = {}): Pause => ({
  tenantId: null,
  kind: null,
  model: null,
  acceptedWork: 'hold',
  ...more,
})
const ordered = (...pauses: Pause[]): Orders => ({ ...noOrders, revision: 1, pauses })
const work = { tenantId: 'acme', kind: 'embed', model: 'embedded/hash-1' }

describe('a pause', () => {
  it.each<[string, Partial<Pause>]>([
    ['of everything', {}],
    ['of the tenant', { tenantId: 'acme' }],
    ['of the kind', { kind: 'embed' }],
    ['of the model', { model: 'embedded/hash-1' }],
    ['of this very work', work],
  ])('%s covers the work', (_, more) => {
    expect(isPaused(ordered(pause(more)), work)).toBe(true)
  })

  it.each<[string, Partial<Pause>]>([
    ['of another tenant', { tenantId: 'globex' }],
    ["of the tenant's other kind", { tenantId: 'acme', kind: 'report' }],
    ['of another model', { kind: 'embed', model: 'openai/text-embedding-3-small' }],
  ])('%s does not', (_, more) => {
    expect(isPaused(ordered(pause(more)), work)).toBe(false)
  })

  it('holds accepted work unless that is to run, and one that holds is enough', () => {
    const drains = pause({ acceptedWork: 'run' })

    expect(isHeld(ordered(drains), work)).toBe(false)
    expect(isPaused(ordered(drains), work)).toBe(true)
    expect(isHeld(ordered(drains, pause({ kind: 'embed' })), work)).toBe(true)
  })
})

describe('orders', () => {
  it('concern a tenant where they are for it, or for all', () => {
    const all = ordered(pause(), pause({ tenantId: 'acme' }), pause({ tenantId: 'globex' }))

    expect(concerning(all, 'acme').pauses).toEqual([pause(), pause({ tenantId: 'acme' })])
  })

  it('agree whenever they say the same', () => {
    expect(agree(ordered(pause()), { ...ordered(pause()), revision: 7 })).toBe(true)
    expect(agree(ordered(pause()), ordered())).toBe(false)
  })
})

describe('scopes', () => {
  it('meet where some work is in both', () => {
    expect(meet(pause({ kind: 'embed' }), pause({ tenantId: 'acme' }))).toBe(true)
    expect(meet(pause({ kind: 'embed' }), pause({ kind: 'report', tenantId: 'acme' }))).toBe(false)
  })
})
