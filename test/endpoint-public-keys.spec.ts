import { describe, expect, it } from 'vitest'
import type { Body } from './support/client.ts'
import { listening, pathOf, rotated } from './support/endpoints.ts'
import { newReceiver } from './support/receiver.ts'
import { expectStatus, newTenant, type Tenant } from './support/tenant.ts'

describe('the public keys of a tenant', () => {
  const list = async (tenant: Tenant, query = '') =>
    (await expectStatus(200, tenant.get(`/v1/webhook_signing_keys${query}`))).body

  it('are those of all endpoints that sign by key pairs, newest first, with their validity', async () => {
    const { acme, endpoint: first } = await listening({ signing: 'ed25519' })
    await acme.listens(await newReceiver())
    const second = await acme.listens(await newReceiver(), undefined, { signing: 'both' })
    const fresh = await rotated(acme, first.id, { overlap_seconds: 60 })

    const { data, has_more, next_cursor } = await list(acme)

    const key = (endpoint: Body, at: number, expires_at: unknown) => ({
      id: expect.stringMatching(/^whk_/),
      object: 'webhook_signing_key',
      endpoint_id: endpoint.id,
      algorithm: 'ed25519',
      public_key: endpoint.public_keys[at],
      created_at: expect.any(String),
      expires_at,
    })
    expect(data).toEqual([key(fresh, 0, null), key(second, 0, null), key(first, 0, expect.any(String))])
    expect([has_more, next_cursor]).toEqual([false, null])
  })

  it('come in pages', async () => {
    const { acme, endpoint } = await listening({ signing: 'both' })
    for (let nth = 0; nth < 4; nth++) await rotated(acme, endpoint.id)
    const whole = (await list(acme)).data.map(({ id }) => id)

    const paged: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Body = await list(acme, `?limit=2${cursor && `&cursor=${cursor}`}`)
      paged.push(...page.data.map(({ id }) => id))
      cursor = page.next_cursor
    }

    expect(whole).toHaveLength(5)
    expect(paged).toEqual(whole)
  })

  it('do not show those of others, and take no cursor of theirs', async () => {
    const { acme, endpoint } = await listening({ signing: 'both' })
    await rotated(acme, endpoint.id)
    const globex = await newTenant()
    const { next_cursor } = await list(acme, '?limit=1')

    expect((await list(globex)).data).toEqual([])
    for (const [tenant, path] of [
      [globex, '/v1/webhook_signing_keys'],
      [acme, '/v1/webhook_endpoints'],
    ] as const) {
      const { status, body } = await tenant.get(`${path}?cursor=${next_cursor}`)
      expect([status, body.errors[0]?.parameter]).toEqual([400, 'cursor'])
    }
  })

  it('end with their endpoint', async () => {
    const { acme, endpoint } = await listening({ signing: 'both' })
    await expectStatus(204, acme.client.delete(pathOf(endpoint.id)))

    expect((await list(acme)).data).toEqual([])
  })
})
