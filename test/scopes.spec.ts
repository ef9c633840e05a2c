import { beforeAll, describe, expect, it } from 'vitest'
import { newClient, newTenant, type Tenant } from './support/tenant.ts'

let acme: Tenant
beforeAll(async () => {
  acme = await newTenant()
})

describe('scopes', () => {
  it.each([
    ['GET', '/v1/jobs/job_x', 'jobs:read'],
    ['GET', '/v1/jobs/job_x/result', 'jobs:read'],
    ['POST', '/v1/jobs', 'jobs:write'],
    ['POST', '/v1/jobs/job_x/cancel', 'jobs:write'],
    ['GET', '/v1/webhook_endpoints', 'webhooks:read'],
    ['GET', '/v1/webhook_endpoints/we_x', 'webhooks:read'],
    ['GET', '/v1/webhook_signing_keys', 'webhooks:read'],
    ['POST', '/v1/webhook_endpoints', 'webhooks:write'],
    ['PATCH', '/v1/webhook_endpoints/we_x', 'webhooks:write'],
    ['POST', '/v1/webhook_endpoints/we_x/rotate_secret', 'webhooks:write'],
    ['POST', '/v1/webhook_endpoints/we_x/test', 'webhooks:write'],
    ['POST', '/v1/webhook_endpoints/we_x/enable', 'webhooks:write'],
    ['DELETE', '/v1/webhook_endpoints/we_x', 'webhooks:write'],
    ['POST', '/v1/webhook_endpoints/we_x/replay', 'webhooks:write'],
    ['GET', '/v1/deliveries', 'webhooks:read'],
    ['GET', '/v1/deliveries/dlv_x', 'webhooks:read'],
    ['POST', '/v1/deliveries/dlv_x/retry', 'webhooks:write'],
    ['GET', '/v1/events', 'webhooks:read'],
  ])('are asked for by %s %s', async (method, path, scope) => {
    const client = await newClient(acme.id, ['usage:read'])

    const { status, headers } = await client.request(method, path)

    expect(status).toBe(403)
    expect(headers.get('WWW-Authenticate')).toContain(`scope="${scope}"`)
  })
})
