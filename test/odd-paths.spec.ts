import { describe, expect, it } from 'vitest'
import { describedPaths, filled } from './support/described.ts'
import { newTenant, operator } from './support/tenant.ts'

const withIds = describedPaths
  .filter(({ path }) => path.includes('{'))
  .flatMap(({ operations, ...described }) =>
    ['GET', 'DELETE']
      .filter((method) => operations[method.toLowerCase()])
      .map((method) => ({ ...described, method, takesBody: operations[method.toLowerCase()]?.requestBody })),
  )

describe('an ID that can be none', () => {
  it.each([
    ['a slash and dots', 'job%2F..'],
    ['a NUL', '%00'],
    ['a percent sign of nothing', '%ZZ'],
    ['bytes that are no UTF-8', '%FF%FE'],
    ['a surrogate', '%ED%A0%80'],
    ['quotes and a comment', '%27%22;--'],
    ['the name of what every object has', '__proto__'],
    ['4,000 characters', 'x'.repeat(4000)],
  ])('with %s is not found, like any that is unknown', async (_, id) => {
    const { client } = await newTenant()
    const ops = await operator()

    const ask = async ({ path, byOperators, method, takesBody }: (typeof withIds)[number]) => {
      const options = takesBody ? { json: { reason: 'a spec' } } : {}
      const caller = byOperators ? ops : client
      const { status, headers, body } = await caller.request(method, filled(path, id), options)

      expect([method, path, status]).toEqual([method, path, 404])
      expect(headers.get('Content-Type')).toBe('application/problem+json')
      expect(body.type).toBe('https://api.gateway.test/problems/not-found')
      expect(headers.get('Cache-Control')).toBe('no-store')
    }
    await Promise.all(withIds.map(ask))
  })
})
