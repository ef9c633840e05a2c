/** Issuers other than our own, as operators register and see them. */
import { z } from '@hono/zod-openapi'
import { NullableTimestamp, pageOf, Timestamp } from './common.ts'
import { Reason, TenantScopeInput } from './ops.ts'
import { tenantScopes } from './tenant-words.ts'

const scopes = z.array(TenantScopeInput)

export const IssuerRequest = z
  .strictObject({
    issuer: z.string().min(1).max(500).meta({
      description: 'Its `iss`, byte for byte: an `https` URL with a public name, without query or fragment.',
      example: 'https://login.example.com/tenants/main',
    }),
    scopes: scopes.min(1).max(tenantScopes.length).meta({ description: 'What its tokens may be good for.' }),
    audience: z
      .string()
      .regex(/^[\x21-\x7e]{1,500}$/)
      .optional()
      .meta({
        description:
          'What its tokens name as `aud`, where that cannot be the address of the API. It must stand for this API alone.',
        example: 'https://api.gateway.example/v1',
      }),
    reason: Reason,
  })
  .meta({ id: 'IssuerRequest', description: 'An issuer of access tokens to trust for a tenant.' })

export const Issuer = z
  .object({
    id: z.string(),
    object: z.literal('issuer'),
    tenant_id: z.string(),
    issuer: z.string(),
    audience: z.string(),
    scopes: z.array(z.string()),
    key_ids: z.array(z.string()).meta({
      description: 'The `kid` of each key of its that was found to be usable when they were last read.',
    }),
    keys_read_at: NullableTimestamp.meta({ description: 'Null if they never were.' }),
    keys_error: z
      .string()
      .nullable()
      .meta({
        description: [
          'Why its keys could not be read the last time; null when they were. `url_refused` and `lookup_unavailable` are the',
          'rules and the look-up that webhooks have, `other_issuer` is metadata that names another `issuer`, `no_key_set` an',
          'answer without keys. Also: `timeout`, `connection_failed`, `redirect`, `http_status`, `too_large`, `not_json`.',
        ].join(' '),
      }),
    created_at: Timestamp,
  })
  .meta({ id: 'Issuer', description: 'An issuer that is trusted for one tenant, and how its keys are read.' })

export const IssuerPage = pageOf('IssuerPage', Issuer)
