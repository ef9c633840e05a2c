import type { z } from '@hono/zod-openapi'
import type { Issuer, IssuerPage, IssuerRequest } from '../issuers.ts'
import { EXAMPLE_BASE_URL, type Examples, lastPage, TENANT } from './example.ts'

const ISSUER = 'https://login.acme.example/tenants/main'

const issuer: z.input<typeof Issuer> = {
  id: 'iss_01kb9j2p7s000x4b7e0h3k6n9r2t',
  object: 'issuer',
  tenant_id: TENANT,
  issuer: ISSUER,
  audience: `${EXAMPLE_BASE_URL}/v1`,
  scopes: ['jobs:read', 'jobs:write'],
  key_ids: ['2026-11'],
  keys_read_at: '2026-11-29T10:00:00.000Z',
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
      summary: 'Tokens that may submit and read jobs',
      value: {
        issuer: ISSUER,
        scopes: ['jobs:read', 'jobs:write'],
        reason: 'Ticket 815: they sign in by their own directory.',
      },
    },
  },
  Issuer: {
    read: { summary: 'An issuer whose keys were read', value: issuer },
    outOfReach: {
      summary: 'An issuer that could not be reached',
      value: { ...issuer, key_ids: [], keys_read_at: null, keys_error: 'timeout' },
    },
  },
  IssuerPage: { page: { summary: 'The only page', value: { data: [issuer], ...lastPage } } },
}
