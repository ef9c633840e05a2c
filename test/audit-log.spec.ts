import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import type { AuditEntry } from '../openapi/audit-log.ts'
import { expectStatus, newTenant, operator, type Tenant } from './support/tenant.ts'

const PATH = '/ops/v1/audit_log'
const { clientId } = inject('stack').operator

const page = async (query: string) => {
  const { body } = await expectStatus(200, (await operator()).get(`${PATH}?${query}`))
  return body as unknown as { data: AuditEntry[]; has_more: boolean; next_cursor: string | null }
}

/** A tenant, and six acts on it: its creation, and changes of its limits. */
let acme: Tenant
beforeAll(async () => {
  acme = await newTenant()
  const ops = await operator()
  for (const max_running of [1, 2, 3, 4, 5]) {
    const patch = { limits: { max_running }, reason: `change ${max_running}` }
    await expectStatus(200, ops.patch(`/ops/v1/tenants/${acme.id}`, patch))
  }
})

describe('the audit log', () => {
  it('has who did what to whom and why, newest first', async () => {
    const { data, has_more, next_cursor } = await page(`target=${acme.id}`)

    expect([has_more, next_cursor]).toEqual([false, null])
    expect(data.map(({ action, reason }) => [action, reason])).toEqual([
      ...[5, 4, 3, 2, 1].map((n) => ['tenant.change_limits', `change ${n}`]),
      ['tenant.create', 'a spec'],
    ])
    for (const entry of data)
      expect(entry).toMatchObject({ object: 'audit_entry', operator: clientId, target: acme.id })
  })

  it('comes in pages, without a gap', async () => {
    const ids: string[] = []
    let cursor = ''
    for (;;) {
      const { data, next_cursor } = await page(`target=${acme.id}&limit=4${cursor}`)
      ids.push(...data.map(({ id }) => id))
      if (next_cursor === null) break
      cursor = `&cursor=${next_cursor}`
    }

    expect(ids).toEqual((await page(`target=${acme.id}`)).data.map(({ id }) => id))
    expect(ids).toHaveLength(6)
  })

  it('is filtered by operator, action and time', async () => {
    const { data } = await page(`target=${acme.id}`)
    const [, second, , , fifth] = data
    const actsOn = async (query: string) =>
      (await page(`target=${acme.id}&${query}`)).data.map(({ reason }) => reason)

    expect(await actsOn('action=tenant.create')).toEqual(['a spec'])
    expect(await actsOn(`operator=${clientId}&limit=1`)).toEqual(['change 5'])
    expect(await actsOn('operator=client_nobody')).toEqual([])
    const [from, to] = [fifth?.created_at ?? '', second?.created_at ?? '']
    const between = data.filter(({ created_at }) => created_at >= from && created_at < to)
    expect(await actsOn(`created_after=${from}&created_before=${to}`)).toEqual(
      between.map(({ reason }) => reason),
    )
  })

  it('refuses a cursor of another filter', async () => {
    const { next_cursor } = await page(`target=${acme.id}&limit=1`)

    const { status, body } = await (await operator()).get(
      `${PATH}?action=tenant.create&cursor=${next_cursor}`,
    )

    expect([status, body.errors[0]?.parameter]).toEqual([400, 'cursor'])
  })

  it.each([
    ['created_after=2026-11-30T10:00:00Z&created_before=2026-11-30T09:59:59Z', 'created_before'],
    ['created_after=yesterday', 'created_after'],
    ['limit=101', 'limit'],
    ['cursor=none', 'cursor'],
    ['target=', 'target'],
    ['reason=x', 'reason'],
  ])('for ?%s names the parameter', async (query, parameter) => {
    const { status, body } = await (await operator()).get(`${PATH}?${query}`)

    expect([status, body.errors.map((one) => one.parameter)]).toEqual([400, [parameter]])
  })

  it('of a target that nothing was done to is empty', async () => {
    expect((await page(`target=${randomUUID()}`)).data).toEqual([])
  })

  it('is nothing that tenants may see', async () => {
    expect((await acme.get(PATH)).status).toBe(401)
  })
})
