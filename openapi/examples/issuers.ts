import type { z } from '@hono/zod-openapi'
import type { Issuer, IssuerPage, IssuerRequest } from '../issuers.ts'
import { type Examples, lastPage, TENANT } from './example.ts'

const issuer: z.input<typeof Issuer> = {
  id: 'iss_01jd0000000000000000000000000',
  object: 'issuer',
  tenant_id: TENANT,
  issuer: 'https://login.customer.example/tenants/main',
  audience: 'https://api.gateway.example/v1',
  scopes: ['jobs:read', 'jobs:write'],
  key_ids: ['2026-11'],
  keys_read_at: '2026-11-01T08:10:00.000Z',
  keys_error: null,
  created_at: '2026-11-01T08:10:00.000Z',
}

export const issuerExamples: {
  IssuerRequest: Examples<typeof IssuerRequest>
  Issuer: Examples<typeof Issuer>
  IssuerPage: Examples<typeof IssuerPage>
} = {
  IssuerRequest: {
    issuer: {
      summary: 'An issuer whose tokens may submit and read jobs',
      value: {
        issuer: 'https://login.customer.example/tenants/main',
        scopes: ['jobs:read', 'jobs:write'],
        reason: 'Ticket 913: they have their own login.',
      },
    },
  },
  Issuer: { issuer: { summary: 'An issuer whose keys were read', value: issuer } },
  IssuerPage: { page: { summary: 'The only page', value: { data: [issuer], ...lastPage } } },
}
