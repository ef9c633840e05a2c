import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { compilers, Installation, samples } from './support/sdk-package.ts'
import { expectStatus, newTenant, operator } from './support/tenant.ts'

const customer = new Installation()
beforeAll(() => customer.install())
afterAll(() => customer.remove())

/** What a sample takes as given; the first makes the gateway that the others speak of. */
const surroundings = `declare const process: { env: Record<string, string | undefined> }\n`
const further = `import type { Gateway } from '@async-ai-gateway/sdk'\ndeclare const gateway: Gateway\n`
const files = samples.map((_, at) => `sample-${at}.ts`)

describe('the package of the SDK', () => {
  it.each(Object.entries(compilers))(
    'is what its README says, in the eyes of the %s TypeScript',
    async (_, compiler) => {
      for (const [at, sample] of samples.entries())
        customer.write(`sample-${at}.ts`, surroundings + (at === 0 ? '' : further) + sample)

      expect(samples.length).toBeGreaterThanOrEqual(7)
      expect(await customer.complaints(compiler, files, { lib: ['es2022', 'dom'], types: [] })).toBe('')
    },
  )

  it('knows what comes back for each kind of work', async () => {
    const use = `import { Gateway } from '@async-ai-gateway/sdk'
declare const gateway: Gateway
const job = await gateway.jobs.create({ kind: 'embed', input: { texts: ['Reason.'] } })
const { output } = await gateway.jobs.result(await gateway.jobs.wait(job))
export const dimensions: number = output.dimensions
// @ts-expect-error: an embedding has no summary
output.summary
// @ts-expect-error: what is embedded is texts
await gateway.jobs.create({ kind: 'embed', input: { labels: ['a', 'b'] } })
// @ts-expect-error: there is no such kind
await gateway.jobs.create({ kind: 'divine', input: { text: 'Reason.' } })
`
    customer.write('use.ts', use)

    expect(
      await customer.complaints(compilers.older, ['use.ts'], { lib: ['es2022', 'dom'], types: [] }),
    ).toBe('')
  })

  it('runs as it is, in plain Node', async () => {
    const { id } = await newTenant()
    const ops = await operator()
    const request = { name: 'customer', reason: 'a spec' }
    const { body } = await expectStatus(201, ops.post(`/ops/v1/tenants/${id}/clients`, request))
    const [quickstart = ''] = samples
    customer.write('quickstart.ts', quickstart)

    const printed = await customer.printed('quickstart.ts', {
      GATEWAY_URL: inject('stack').url,
      CLIENT_ID: body.client_id,
      CLIENT_SECRET: body.client_secret,
    })

    expect(printed).toBe('All human beings are born free and equal in dignity and rights. 0\n')
  })
})
