import { describe, expect, it } from 'vitest'
import { settle, withDeadConsumer } from './support/consumer.ts'
import { callLedger, contentOf, evict, inLedger, putContent } from './support/control.ts'
import {
  contentRow,
  gone,
  largeJob,
  nothing,
  objects,
  remove,
  resultOf,
  succeeded,
} from './support/retention.ts'
import { newTenant, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

describe('an attempt that is still out when its job is deleted', () => {
  const settleLarge = async ({ id: tenantId }: Tenant, jobId: string, outputRef: string) => {
    const outcome = { kind: 'completed', output: null, outputRef }
    const usage = { inputTokens: 7, outputTokens: 1 }
    const settlement = { jobId, attempt: 1, outcome, usage, providerRequestId: null }
    return (await callLedger<{ kind: string }[]>(tenantId, 'settleJobs', [settlement]))[0]?.kind
  }

  it('brings no content back when it settles, and its cost is booked', async () => {
    const { acme, id } = await withDeadConsumer()
    await remove(acme, id)

    expect(await settle(acme, id, 1, 'too late')).toBe('superseded')

    expect(await contentRow(acme, id)).toEqual(nothing)
    expect(await acme.job(id)).toMatchObject({ status: 'cancelled', usage: { input_tokens: 1 } })
    expect(await resultOf(acme, id)).toEqual(gone)
  })

  it('leaves no object, whether it wrote it before or after, when it settles', async () => {
    const { acme, id } = await withDeadConsumer()
    const output = `t/${acme.id}/out/${id}/1`
    await putContent(output, 'before the deletion')
    await remove(acme, id)
    expect(await contentOf(acme.id)).toEqual([])

    await putContent(output, 'after the deletion')
    expect(await settleLarge(acme, id, output)).toBe('superseded')
    await objects(acme, [])
  })

  it('leaves no object where its consumer gave the claim back after writing it', async () => {
    const { acme, id } = await withDeadConsumer()
    const model = 'embedded/extract-1'
    await putContent(`t/${acme.id}/out/${id}/1`, 'of a consumer that could not settle')
    await callLedger(acme.id, 'releaseJobs', [
      { jobId: id, attempt: 1, model, notBefore: Date.now() + 60_000 },
    ])
    await remove(acme, id)

    expect(await contentOf(acme.id)).toEqual([])
  })

  it('leaves no object even if it writes it after the deletion and dies', async () => {
    const { acme, id } = await withDeadConsumer()
    await remove(acme, id)
    await putContent(`t/${acme.id}/out/${id}/1`, 'after the deletion')
    const [doomed] = await inLedger<{ ref: string; since: number }>(acme.id, 'select * from doomed_content')
    expect(doomed?.ref).toBe(`t/${acme.id}/out/${id}/`)
    expect(doomed?.since).toBeGreaterThan(Date.now() + 15 * 60_000)

    await inLedger(acme.id, 'update doomed_content set since = 1')
    await evict(acme.id)
    await acme.submitted()

    await objects(acme, [])
    await until(
      'nothing is doomed any more',
      async () => (await inLedger(acme.id, 'select * from doomed_content')).length === 0,
    )
  })

  it('does not take the result of another attempt along', async () => {
    const acme = await newTenant()
    const id = await succeeded(acme, largeJob())
    const [row] = await inLedger<{ output_ref: string }>(
      acme.id,
      'select output_ref from jobs where id = ?',
      id,
    )

    expect(await settleLarge(acme, id, row?.output_ref ?? '')).toBe('already')

    expect(await inLedger(acme.id, 'select * from doomed_content')).toEqual([])
    expect(await acme.result(id)).toMatchObject({ id })
  })
})
