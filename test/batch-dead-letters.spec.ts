import { describe, expect, it } from 'vitest'
import { embedBatch, endedBatch, submittedBatch } from './support/batches.ts'
import { inDirectory } from './support/control.ts'
import { letter, redrive } from './support/dead-letters.ts'
import { newTenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

const lettersOf = (batchId: string) =>
  inDirectory<{ id: string }>('select id from dead_letters where batch_id = ?', batchId)

describe('a batch that fails of what its customer cannot mend', () => {
  it('has one dead letter, which says that its customer reruns it', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme, embedBatch(3, { model: 'test/permission-denied' }))

    const batch = await endedBatch(acme, id)

    expect(batch).toMatchObject({ status: 'failed', counts: { failed: 3, pending: 0 } })
    const dead = await until('its dead letter', async () => (await lettersOf(id))[0])
    expect(await letter(dead.id)).toMatchObject({
      batch_id: id,
      job_id: null,
      tenant_id: acme.id,
      queue: 'batches',
      class: 'permission_denied',
      status: 'open',
      redrivable: false,
      redrive_reason: expect.stringContaining('customer reruns it'),
    })
    expect((await redrive(dead.id)).status).toBe(409)
    expect(await lettersOf(id)).toHaveLength(1)
  })
})
