import { beforeAll, describe, expect, it } from 'vitest'
import openapi from '../openapi/openapi.json' with { type: 'json' }
import ops from '../openapi/ops.json' with { type: 'json' }
import type { Client } from './support/client.ts'
import { filled, readablePaths } from './support/described.ts'
import { newTenant, operator } from './support/tenant.ts'

type Described = Record<string, { parameters?: { in: string }[] }>

/** But for POSTs that describe no query: whether theirs is the same as before is up to the idempotency key. */
const routesOf = ({ paths }: { paths: Record<string, object> }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Described)
      .filter(
        ([method, { parameters = [] }]) => method !== 'post' || parameters.some((one) => one.in === 'query'),
      )
      .map(([method]) => [method.toUpperCase(), path] as const),
  )

async function expectRefused(client: Client, method: string, path: string): Promise<void> {
  const at = `${path.replaceAll(/\{\w+\}/g, 'none')}?colour=red`
  const headers = {
    'Idempotency-Key': 'colour',
    'Content-Type': path === '/v1/files' ? 'text/plain' : 'application/json',
  }
  const isPost = method === 'POST'

  const { status, body } = await client.request(method, at, isPost ? { headers, raw: '{}' } : {})

  expect([status, body.errors]).toEqual([400, [{ parameter: 'colour', detail: 'Unknown field.' }]])
}

let acme: Client
beforeAll(async () => {
  acme = (await newTenant()).client
})

describe('a query parameter that the route does not describe is refused by name', () => {
  it.each(routesOf(openapi))('%s %s', async (method, path) => {
    await expectRefused(acme, method, path)
  })

  it.each(routesOf(ops))('%s %s', async (method, path) => {
    await expectRefused(await operator(), method, path)
  })
})

describe('a query parameter that comes twice, or as one of many, is refused by name', () => {
  const parameters = readablePaths.flatMap(({ path, operations, byOperators }) =>
    (operations.get?.parameters ?? [])
      .filter((one) => one.in === 'query')
      .map(({ name }) => [name, path, byOperators] as const),
  )

  it.each(parameters)('%s of %s', async (name, path, byOperators) => {
    const client = byOperators ? await operator() : acme
    const at = filled(path, 'none')
    const value = name === 'limit' ? '1' : 'true'

    const twice = await client.get(`${at}?${name}=${value}&${name}=${value}`)
    const ofMany = await client.get(`${at}?${name}[]=${value}`)

    expect([twice.status, twice.body.errors.map(({ parameter }) => parameter)]).toEqual([400, [name]])
    expect([ofMany.status, ofMany.body.errors.map(({ parameter }) => parameter)]).toEqual([
      400,
      [`${name}[]`],
    ])
  })
})
