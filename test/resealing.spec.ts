import { describe, expect, it } from 'vitest'
import { randomBytes } from '../ledger/ids.ts'
import { seal } from '../ledger/vault.ts'
import { inDirectory, inLedger } from './support/control.ts'
import { listening } from './support/endpoints.ts'
import { FORMER_KEYS } from './support/key-encryption-keys.ts'
import { verifiesBy } from './support/signatures.ts'
import { expectStatus, newTenant, operator, type Tenant } from './support/tenant.ts'

interface Stored {
  keys: { sealedSecret: string; sealedSeed: string }[]
  headers: string | null
}

async function stored(acme: Tenant): Promise<Stored> {
  const sql = 'select keys, sealed_headers from webhook_endpoints'
  const [row] = await inLedger<{ keys: string; sealed_headers: string | null }>(acme.id, sql)
  return { keys: JSON.parse(row?.keys ?? '[]'), headers: row?.sealed_headers ?? null }
}

/** Seals the endpoint's secret again as it was sealed under the former key, or one that is gone. */
async function sealAsBefore(acme: Tenant, id: string, secret: string, keys = FORMER_KEYS) {
  const { keys: present } = await stored(acme)
  const sealedSecret = await seal(keys, secret, id, randomBytes)
  const before = present.map((key) => ({ ...key, sealedSecret }))
  await inLedger(acme.id, 'update webhook_endpoints set keys = ?', JSON.stringify(before))
}

const reseal = async (id: string, body: object = { reason: 'a new key-encryption key' }) =>
  (await operator()).post(`/ops/v1/tenants/${id}/reseal`, body)

describe('sealing again', () => {
  it('leaves nothing under an older key, and signs by the same secret as before', async () => {
    const { acme, endpoint, next } = await listening({ headers: { 'X-Token': 'abc' } })
    await sealAsBefore(acme, endpoint.id, endpoint.secret)

    const { body } = await expectStatus(200, reseal(acme.id))
    const { keys, headers } = await stored(acme)
    const received = await next()

    expect(body).toEqual({ tenant_id: acme.id, object: 'resealing', sealed: 3, resealed: 1, unreadable: 0 })
    const all = [...keys.flatMap(({ sealedSecret, sealedSeed }) => [sealedSecret, sealedSeed]), headers]
    expect(all.map((text) => text?.split('.')[0])).toEqual(['local', 'local', 'local'])
    expect(verifiesBy(endpoint.secret, received)).toBe(true)
    expect((await expectStatus(200, reseal(acme.id))).body).toMatchObject({ sealed: 3, resealed: 0 })
    const sql = 'select count(*) as acts from audit_log where action = ? and target = ?'
    expect(await inDirectory(sql, 'tenant.reseal', acme.id)).toEqual([{ acts: 2 }])
  })

  it('tells of what no key opens, and does the rest', async () => {
    const { acme, endpoint } = await listening()
    const gone = JSON.stringify({ gone: btoa('x'.repeat(32)) })
    await sealAsBefore(acme, endpoint.id, endpoint.secret, gone)

    const { body } = await expectStatus(200, reseal(acme.id))

    expect(body).toMatchObject({ sealed: 2, resealed: 0, unreadable: 1 })
  })

  it('is refused without a reason, of nobody, and of a tenant that is not there', async () => {
    const { id, client } = await newTenant()

    await expectStatus(400, reseal(id, {}))
    await expectStatus(404, reseal('t-nobody'))
    await expectStatus(401, client.post(`/ops/v1/tenants/${id}/reseal`, { reason: 'mine' }))
  })
})
