import { beforeAll, describe, expect, it } from 'vitest'
import { embedBatch, endedBatch, submittedBatch } from './support/batches.ts'
import { type Answer, type Client, request } from './support/client.ts'
import { type DescribedPath, describedPaths, filled, readablePaths } from './support/described.ts'
import { newTenant, operator, type Tenant } from './support/tenant.ts'
import { mintToken } from './support/tokens.ts'

let acme: Tenant
let clients: { tenant: Client; operator: Client }
beforeAll(async () => {
  acme = await newTenant()
  clients = { tenant: acme.client, operator: await operator() }
})

const clientFor = ({ byOperators }: { byOperators: boolean }) => clients[byOperators ? 'operator' : 'tenant']

/** What differs between any two answers, or says how long a body is. */
const passing = new Set([
  'date',
  'connection',
  'x-request-id',
  'ratelimit',
  'content-length',
  'transfer-encoding',
])
const lasting = ({ status, headers }: Answer) => [
  status,
  ...[...headers].filter(([name]) => !passing.has(name)).map(([name, value]) => `${name}: ${value}`),
]

describe('HEAD', () => {
  it('is GET without its body on every path that can be read', async () => {
    for (const described of readablePaths) {
      const path = filled(described.path, 'none')
      const [get, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => clientFor(described).request(method, path)),
      )

      expect(head?.body, path).toBeNull()
      expect(lasting(head as Answer), path).toEqual(lasting(get as Answer))
    }
  })

  it('is so of what is there, too', async () => {
    const [job, batch] = await Promise.all([acme.submitted(), submittedBatch(acme, embedBatch(1))])
    await Promise.all([acme.ended(job.id), endedBatch(acme, batch.id)])
    const parts = ['items', 'manifest', 'report', 'results'].map((part) => `/v1/batches/${batch.id}/${part}`)

    for (const path of [
      `/v1/jobs/${job.id}`,
      `/v1/jobs/${job.id}/result`,
      `/v1/batches/${batch.id}`,
      ...parts,
    ]) {
      const [get, head] = [await acme.get(path), await acme.client.request('HEAD', path)]
      expect([path, head.status, head.body]).toEqual([path, 200, null])
      expect(lasting(head), path).toEqual(lasting(get))
    }
  })

  it('needs the scope that GET needs', async () => {
    const token = await mintToken(acme.id, 'client_spec', 'webhooks:read')

    const { status, body, headers } = await request('HEAD', '/v1/jobs', {
      headers: { Authorization: `Bearer ${token}` },
    })

    expect([status, body]).toEqual([403, null])
    expect(headers.get('WWW-Authenticate')).toContain('scope="jobs:read"')
  })
})

describe('a method that a path does not have', () => {
  it.each(['OPTIONS', 'PUT'])(
    '%s is answered with those that it has, and with no word on other origins',
    async (method) => {
      const ask = async (described: DescribedPath) => {
        const path = filled(described.path, 'none')
        const headers = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'GET' }

        const answer = await clientFor(described).request(method, path, { headers })

        const methods = Object.keys(described.operations).map((one) => one.toUpperCase())
        const allowed = methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]))
        expect([path, answer.status, answer.body.type]).toEqual([
          path,
          405,
          expect.stringMatching(/method-not-allowed$/),
        ])
        expect(answer.headers.get('Allow')?.split(', ').sort(), path).toEqual(allowed.sort())
        expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
      }
      await Promise.all(describedPaths.map(ask))
    },
  )

  it.each([
    ['GET', '/v1/jobs/estimate'],
    ['HEAD', '/v1/jobs/estimate'],
    ['DELETE', '/v1/jobs/estimate'],
    ['GET', '/v1/batches/estimate'],
    ['GET', '/ops/v1/dead_letters/redrive'],
  ])('is so of a path that could be that of an ID: %s %s', async (method, path) => {
    const { status, headers } = await acme.client.request(method, path)

    expect([status, headers.get('Allow')]).toEqual([405, 'POST'])
  })

  it.each([
    ['/oauth/token', 'POST'],
    ['/healthz', 'GET, HEAD'],
    ['/docs', 'GET, HEAD'],
    ['/openapi.json', 'GET, HEAD'],
    ['/ops/openapi.json', 'GET, HEAD'],
    ['/problems/not-found', 'GET, HEAD'],
    ['/.well-known/jwks.json', 'GET, HEAD'],
    ['/.well-known/oauth-authorization-server', 'GET, HEAD'],
  ])('is so on %s, which is open', async (path, allowed) => {
    const { status, headers } = await request('OPTIONS', path)

    expect([status, headers.get('Allow')]).toEqual([405, allowed])
  })
})
