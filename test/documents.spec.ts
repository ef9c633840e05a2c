import { readFile } from 'node:fs/promises'
import { describe, expect, inject, it } from 'vitest'
import { guides } from '../gateway/pages/guides.ts'
import { EXAMPLE_BASE_URL } from '../openapi/examples/example.ts'
import { problemCodes } from '../openapi/problems.ts'
import { BASE_URL } from './support/base-url.ts'
import { request } from './support/client.ts'

interface Document {
  readonly openapi: string
  readonly paths: Record<string, Record<string, { operationId: string; responses: Record<string, object> }>>
  readonly webhooks?: Record<string, object>
}

const fetched = async (path: string) => (await request('GET', path)).body as unknown as Document

describe('the OpenAPI document', () => {
  it.each([
    ['/openapi.json', 'openapi/openapi.json'],
    ['/ops/openapi.json', 'openapi/ops.json'],
  ])('at %s is the one that is committed', async (path, file) => {
    const committed = await readFile(file, 'utf8')

    expect(await fetched(path)).toEqual(JSON.parse(committed.replaceAll(EXAMPLE_BASE_URL, BASE_URL)))
  })

  it('names each operation once and tells of each webhook', async () => {
    const { openapi, paths, webhooks } = await fetched('/openapi.json')

    const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
    const ids = operations.map(({ operationId }) => operationId)
    expect(openapi).toBe('3.1.0')
    expect(new Set(ids).size).toBe(ids.length)
    expect(Object.keys(webhooks ?? {})).toEqual([
      'job.accepted',
      'job.result_available',
      'job.failed',
      'job.cancelled',
      'batch.accepted',
      'batch.result_available',
      'batch.failed',
      'batch.expired',
      'batch.cancelled',
      'webhook_endpoint.failing',
      'webhook_endpoint.disabled',
      'ping',
    ])
    for (const { operationId, responses } of operations)
      if (operationId !== 'createToken')
        expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '500']))
  })

  it('keeps operators and tenants apart', async () => {
    const beside = async (path: string, prefix: string) =>
      Object.keys((await fetched(path)).paths).filter((one) => !one.startsWith(prefix))

    expect(await beside('/openapi.json', '/v1/')).toEqual(['/oauth/token'])
    expect(await beside('/ops/openapi.json', '/ops/v1/')).toEqual([])
  })
})

describe('what is open to everybody', () => {
  it('holds a page for each problem', async () => {
    for (const code of problemCodes) {
      const { status, body } = await request('GET', `/problems/${code}`)
      expect([status, String(body)]).toEqual([200, expect.stringContaining('What to do')])
    }
    expect((await request('GET', '/problems/none')).status).toBe(404)
    const list = String((await request('GET', '/problems')).body)
    expect(problemCodes.filter((code) => !list.includes(`href="/problems/${code}"`))).toEqual([])
  })

  it('holds discovery and health', async () => {
    const metadata = (await request('GET', '/.well-known/oauth-authorization-server')).body

    expect(metadata).toMatchObject({
      issuer: 'https://api.gateway.test',
      token_endpoint: 'https://api.gateway.test/oauth/token',
      jwks_uri: 'https://api.gateway.test/.well-known/jwks.json',
    })
    expect((await request('GET', '/healthz')).status).toBe(200)
  })

  it('holds the reference page, with its script from here', async () => {
    const page = String((await request('GET', '/docs')).body)
    const script = /src="([^"]+)"/.exec(page)?.[1] ?? ''

    expect(script.startsWith('/')).toBe(true)
    const { status, headers } = await request('GET', `${inject('stack').frontUrl}${script}`)
    expect([status, headers.get('Content-Type')]).toEqual([200, expect.stringContaining('javascript')])
    expect(page).not.toMatch(/https?:\/\//)
  })

  it('holds the guides that the reference page leads to', async () => {
    const page = String((await request('GET', '/docs')).body)
    const paths = new Set(page.match(/\/docs\/guides\/[\w-]+/g))

    expect(paths.size).toBe(guides.length)
    for (const path of [...paths, '/docs/style.css']) {
      const { status, headers } = await request('GET', `${inject('stack').frontUrl}${path}`)
      expect([path, status, headers.get('Content-Security-Policy')]).toEqual([
        path,
        200,
        expect.stringContaining("default-src 'none'"),
      ])
    }
  })
})
