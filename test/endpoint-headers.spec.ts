import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { inLedger, logs } from './support/control.ts'
import { act, create, listening, patch, pathOf, rotated } from './support/endpoints.ts'
import { verifiesBy } from './support/signatures.ts'
import { expectStatus } from './support/tenant.ts'

describe('the headers of a customer’s own', () => {
  const hush = `hush-${randomUUID()}`

  it('come with every webhook as they are, until they are changed', async () => {
    const { acme, endpoint, next } = await listening({
      headers: { Authorization: `Bearer ${hush}`, 'X-Own': '{"a":\t1}' },
    })

    const first = await next()
    await expectStatus(200, patch(acme, endpoint.id, { headers: { 'X-Other': 'b' } }))
    const second = await next()
    await expectStatus(200, patch(acme, endpoint.id, { headers: null }))
    const third = await next()

    expect(first.headers).toMatchObject({ authorization: `Bearer ${hush}`, 'x-own': '{"a":\t1}' })
    expect(first.headers['content-type']).toBe('application/json')
    expect(verifiesBy(endpoint.secret, first)).toBe(true)
    expect([second.headers.authorization, second.headers['x-own']]).toEqual([undefined, undefined])
    expect(second.headers['x-other']).toBe('b')
    expect(third.headers['x-other']).toBeUndefined()
  })

  it('are nowhere else to be seen, nor are secrets', async () => {
    const { acme, endpoint, next } = await listening({ headers: { 'X-API-Key': hush }, signing: 'both' })
    const { id } = endpoint
    const fresh = await rotated(acme, id)
    await next()
    const headers = { 'Idempotency-Key': randomUUID() }
    const key = { headers: { 'X-API-Key': `${hush}-2` } }
    await expectStatus(201, create(acme, key, headers))

    const answers = [
      await acme.get(pathOf(id)),
      await acme.get('/v1/webhook_endpoints'),
      await patch(acme, id, key),
      await act(acme, id, '/enable'),
      await act(acme, id, '/rotate_secret'),
    ]
    const rows = [
      ...(await inLedger(acme.id, 'select * from webhook_endpoints')),
      ...(await inLedger(acme.id, 'select * from idempotency_keys')),
      ...(await inLedger(acme.id, 'select * from deliveries')),
    ]

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const told = [JSON.stringify(answers.map(({ body }) => body)), JSON.stringify(rows)]
    for (const text of [...told, (await logs()).join('\n')])
      for (const secret of [hush, endpoint.secret.slice(6), fresh.secret.slice(6)])
        expect(text).not.toContain(secret)
  })
})
