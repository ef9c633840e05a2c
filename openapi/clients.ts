/** API clients, as operators create and see them. */
import { z } from '@hono/zod-openapi'
import { ClientKeys } from './client-keys.ts'
import { NullableTimestamp, pageOf, Timestamp } from './common.ts'
import { Reason, tenantScopes } from './ops.ts'

export const ClientRequest = z
  .strictObject({
    name: z.string().min(1).max(100),
    scopes: z.array(z.enum(tenantScopes)).min(1).max(tenantScopes.length).optional(),
    jwks: ClientKeys.optional(),
    reason: Reason,
  })
  .openapi('ClientRequest', {
    example: { name: 'nightly import', scopes: ['jobs:read', 'jobs:write'], reason: 'Their second system.' },
  })

const clientFields = {
  client_id: z.string(),
  object: z.literal('client'),
  tenant_id: z.string().nullable().openapi({ description: "Null for an operator's client." }),
  name: z.string(),
  scopes: z.array(z.string()),
  jwks: z.union([ClientKeys, z.null()]).openapi({ description: 'Null for a client with a secret.' }),
  created_at: Timestamp,
}

export const Client = z
  .object({
    ...clientFields,
    former_secrets_until: NullableTimestamp.openapi({
      description: 'Until when a secret from before a rotation is still taken; null where none is.',
    }),
    disabled_at: NullableTimestamp,
  })
  .openapi('Client')

export const ClientWithSecret = z
  .object({
    ...clientFields,
    client_secret: z
      .string()
      .nullable()
      .openapi({ description: 'Shown here only; null in a replay, and for a client with keys.' }),
  })
  .openapi('ClientWithSecret')
export type ClientWithSecret = z.infer<typeof ClientWithSecret>

export const ClientPage = pageOf('ClientPage', Client)

export const DEFAULT_SECRET_OVERLAP_SECONDS = 86_400

export const ClientRotation = z
  .strictObject({
    jwks: ClientKeys.optional().openapi({
      description:
        'New keys, in the place of all that it has: list an old one too for as long as it is to be taken. A client that has keys needs them.',
    }),
    overlap_seconds: z.int().min(0).max(604_800).optional().openapi({
      format: 'int32',
      default: DEFAULT_SECRET_OVERLAP_SECONDS,
      description: 'How long older secrets are still taken at most; 0 ends them now.',
    }),
    reason: Reason,
  })
  .openapi('ClientRotation', { example: { overlap_seconds: 3600, reason: 'Their yearly change.' } })
export type ClientRotation = z.infer<typeof ClientRotation>

export const ClientDisabling = z
  .strictObject({ reason: Reason })
  .openapi('ClientDisabling', { example: { reason: 'Its secret was found in a public repository.' } })
