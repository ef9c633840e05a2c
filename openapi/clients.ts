/** API clients, as operators create and see them. */
import { z } from '@hono/zod-openapi'
import { ClientKeys, RegisteredKeys } from './client-keys.ts'
import { NullableTimestamp, pageOf, Timestamp } from './common.ts'
import { noted, orNull } from './enums.ts'
import { Reason, TenantScopeInput } from './ops.ts'
import { tenantScopes } from './tenant-words.ts'

export const ClientRequest = z
  .strictObject({
    name: z.string().min(1).max(100),
    scopes: z
      .array(TenantScopeInput)
      .min(1)
      .max(tenantScopes.length)
      .optional()
      .meta({ description: 'Default: all.' }),
    jwks: ClientKeys.optional(),
    reason: Reason,
  })
  .meta({ id: 'ClientRequest', description: 'An API client to create.' })

const clientFields = {
  client_id: z.string(),
  object: z.literal('client'),
  tenant_id: z.string().nullable().meta({ description: "Null for an operator's client." }),
  name: z.string(),
  scopes: z.array(z.string()),
  jwks: orNull(RegisteredKeys).meta({ description: 'Null for a client with a secret.' }),
  created_at: Timestamp,
}

export const Client = z
  .object({
    ...clientFields,
    former_secrets_until: NullableTimestamp.meta({
      description: 'Until when a secret from before a rotation is still taken; null where none is.',
    }),
    disabled_at: NullableTimestamp.meta({ description: 'Null for a client that may have tokens.' }),
  })
  .meta({ id: 'Client', description: 'An API client, without what it authenticates by.' })
export type Client = z.infer<typeof Client>

export const ClientWithSecret = z
  .object({
    ...clientFields,
    client_secret: z
      .string()
      .nullable()
      .meta({ description: 'Shown here only; null in a replay, and for a client with keys.' }),
  })
  .meta({ id: 'ClientWithSecret', description: 'An API client with its secret, which is shown once.' })
export type ClientWithSecret = z.infer<typeof ClientWithSecret>

export const ClientPage = pageOf('ClientPage', Client)

export const DEFAULT_SECRET_OVERLAP_SECONDS = 86_400

export const ClientRotation = z
  .strictObject({
    jwks: noted(ClientKeys, {
      description:
        'New keys, in the place of all that it has: list an old one too for as long as it is to be taken. A client that has keys needs them.',
    }).optional(),
    overlap_seconds: z.int().min(0).max(604_800).optional().meta({
      format: 'int32',
      default: DEFAULT_SECRET_OVERLAP_SECONDS,
      description: 'How long older secrets are still taken at most; 0 ends them now.',
    }),
    reason: Reason,
  })
  .meta({
    id: 'ClientRotation',
    description: 'How a client changes over to something new to authenticate by.',
  })
export type ClientRotation = z.infer<typeof ClientRotation>
