import { beforeAll, describe, expect, it } from 'vitest'
import { type CursorScope, encodeCursor } from '../gateway/cursor.ts'
import { embedBatch, submittedBatch } from './support/batches.ts'
import { newTenant, type Tenant } from './support/tenant.ts'

let acme: Tenant
let globex: Tenant
let batchId: string
beforeAll(async () => {
  ;[acme, globex] = [await newTenant(), await newTenant()]
  await globex.submitted()
  batchId = (await submittedBatch(acme, embedBatch(1))).id
})

/** Each list, with what its cursors are bound to besides the tenant. */
const lists: [string, () => CursorScope][] = [
  ['/v1/jobs', () => ['jobs', {}]],
  ['/v1/batches', () => ['batches', {}]],
  ['/v1/batches/ID/items', () => ['batch_items', batchId, {}]],
  ['/v1/batches/ID/manifest', () => ['batch_manifest', batchId]],
  ['/v1/webhook_endpoints', () => ['webhook_endpoints']],
  ['/v1/webhook_signing_keys', () => ['webhook_signing_keys']],
  ['/v1/deliveries', () => ['deliveries', {}]],
  ['/v1/events', () => ['events', {}]],
  ['/v1/models', () => ['models']],
]

/** Places that no page ends at. */
const places = [
  "' or 1=1 --",
  '\0',
  '9'.repeat(15),
  '9'.repeat(300),
  '-1',
  '1e9',
  `${'9'.repeat(15)} we_x`,
  'job_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz',
  '{}',
  '💥',
]

describe.each(lists)('a cursor of %s', (path, bound) => {
  const page = (tenant: Tenant, cursor: string | null) =>
    tenant.get(`${path.replace('ID', batchId)}?cursor=${encodeURIComponent(cursor ?? '')}`)

  it('that is made up is refused, or shows a page of the same tenant', async () => {
    for (const place of places) {
      const { status, body } = await page(acme, await encodeCursor([acme.id, ...bound()], place))

      expect([place, [200, 400].includes(status)]).toEqual([place, true])
      if (status === 400) expect(body.errors.map(({ parameter }) => parameter)).toEqual(['cursor'])
      expect(JSON.stringify(body)).not.toContain(globex.id)
    }
  })

  it('of another tenant, or of another list, is refused', async () => {
    const others = [
      [globex.id, ...bound()],
      [acme.id, 'none', {}],
    ]

    for (const scope of others) {
      const { status, body } = await page(acme, await encodeCursor(scope, '1'))
      expect([status, body.errors.map(({ parameter }) => parameter)]).toEqual([400, ['cursor']])
    }
  })
})
