import { beforeAll, describe, expect, it } from 'vitest'
import { rawRequestOf } from './support/raw-http.ts'
import { newTenant, type Tenant } from './support/tenant.ts'

let acme: Tenant
beforeAll(async () => {
  acme = await newTenant()
})

describe('the X-Request-Id header', () => {
  it.each(['a', 'A-z_0.9', 'a'.repeat(128)])('comes back: %s', async (id) => {
    const { status, headers, body } = await rawRequestOf(acme, {
      line: 'GET /v1/jobs/none',
      lines: [`x-request-id: ${id}`],
    })

    expect([status, headers.get('X-Request-Id')]).toEqual([404, id])
    expect(body).toMatchObject({ request_id: id, instance: `/requests/${id}` })
  })

  it.each<[string, string[]]>([
    ['is empty', ['']],
    ['has 129 characters', ['a'.repeat(129)]],
    ['has a space', ['evil id']],
    ['has a tab', ['evil\tid']],
    ['has a comma', ['evil,id']],
    ['is in quotes', ['"evil"']],
    ['is markup', ['<script>evil</script>']],
    ['is no ASCII', ['évil']],
    ['is an emoji', ['💥evil']],
    ['is in escapes', ['evil%0d%0aX-A:b']],
    ['comes twice', ['evil', 'evil']],
    ['comes 500 times', Array(500).fill('evil')],
  ])('is replaced when it %s', async (_, values) => {
    const lines = values.map((value) => `X-Request-Id: ${value}`)

    const { status, headers, body, text } = await rawRequestOf(acme, { line: 'GET /v1/jobs/none', lines })

    const id = headers.get('X-Request-Id')
    expect([status, id]).toEqual([404, expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)])
    expect(body.request_id).toBe(id)
    expect(text).not.toContain('vil')
  })
})
