/** Webhook endpoints as customers send and see them. */
import { z } from '@hono/zod-openapi'
import { Metadata, MetadataInput, NullableTimestamp, pageOf, Timestamp } from './common.ts'
import { disabledReasons, eventTypes, signings } from './webhooks.ts'

/** What an endpoint may subscribe to: event names, a family of them, or all. */
export const subscriptions = [...eventTypes, 'job.*', 'batch.*', '*'] as const

/** Which names and values are taken is for one rule to say, which tells each place that is wrong. */
const HeadersInput = z.record(z.string(), z.string()).openapi({
  description:
    'Sent with every webhook: for instance credentials that the receiver asks for. Kept encrypted and never shown again. Up to 20; names of up to 64 characters, unique whatever their case, and none that the service sets itself; values of visible ASCII with spaces and tabs inside.',
  example: { Authorization: 'Bearer 3f9a…' },
  maxProperties: 20,
  additionalProperties: { type: 'string', minLength: 1, maxLength: 1024 },
})

const SecretInput = z.string().openapi({
  description:
    'A signing secret of your own, for a move from elsewhere: `whsec_` and the base64 of 24 to 64 bytes. Without it a fresh one is made.',
  example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
})

const settable = {
  url: z.string().min(1).max(2048).openapi({
    format: 'uri',
    description: 'https, a public name, port 443.',
    example: 'https://example.com/hooks/ai',
  }),
  event_types: z.array(z.enum(subscriptions)).min(1).max(subscriptions.length),
  description: z.string().max(500).nullable(),
  signing: z.enum(signings).openapi({
    description:
      'Which signatures are sent: `hmac` (v1, by the secret), `ed25519` (v1a, by a key pair of the endpoint) or both.',
  }),
  ordered: z.boolean().openapi({
    description:
      'Whether the events of one job or batch arrive strictly one after the other. One that cannot be delivered then holds up those that follow it.',
  }),
  max_per_second: z.int().min(1).max(1000).nullable().openapi({
    format: 'int32',
    description: 'Webhooks sent in a second at most; null for no limit.',
  }),
  headers: HeadersInput.nullable(),
  metadata: MetadataInput,
}

export const WebhookEndpointRequest = z
  .strictObject({
    url: settable.url,
    event_types: settable.event_types.optional().openapi({ default: ['*'] }),
    description: settable.description.optional(),
    signing: settable.signing.optional().openapi({ default: 'hmac' }),
    ordered: settable.ordered.optional().openapi({ default: false }),
    max_per_second: settable.max_per_second.optional(),
    headers: settable.headers.optional(),
    metadata: settable.metadata.optional(),
    secret: SecretInput.optional(),
  })
  .openapi('WebhookEndpointRequest')
export type WebhookEndpointRequest = z.infer<typeof WebhookEndpointRequest>

export const WebhookEndpointPatch = z
  .strictObject(settable)
  .partial()
  .extend({
    status: z.enum(['enabled', 'disabled']).optional().openapi({
      description: '`disabled` holds what is to be delivered; `enabled` does what `/enable` does.',
    }),
  })
  .openapi('WebhookEndpointPatch', {
    description: 'What is not named stays as it is. `headers` and `metadata` are replaced whole.',
  })
export type WebhookEndpointPatch = z.infer<typeof WebhookEndpointPatch>

export const WebhookEndpoint = z
  .object({
    id: z.string().openapi({ example: 'we_01jd0000000000000000000000000' }),
    object: z.literal('webhook_endpoint'),
    url: z.string().openapi({ format: 'uri' }),
    event_types: z.array(z.string()),
    description: z.string().nullable(),
    status: z.enum(['enabled', 'disabled']),
    disabled_reason: z.enum(disabledReasons).nullable().openapi({
      description:
        '`gone`: it answered 410. `failing`: for days it answered nothing but failures. `requested`: you wanted it.',
    }),
    signing: z.enum(signings),
    public_keys: z.array(z.string()).openapi({
      description: 'Ed25519 public keys that verify v1a signatures now, `whpk_…`, the present one first.',
    }),
    ordered: z.boolean(),
    max_per_second: z.int().nullable().openapi({ format: 'int32' }),
    headers: z.array(z.string()).openapi({ description: 'Names only; values are never shown.' }),
    metadata: Metadata,
    created_at: Timestamp,
  })
  .openapi('WebhookEndpoint')
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>

export const WebhookEndpointPage = pageOf('WebhookEndpointPage', WebhookEndpoint)

export const WebhookEndpointWithSecret = z
  .object({
    ...WebhookEndpoint.shape,
    secret: z
      .string()
      .nullable()
      .openapi({ description: 'The signing secret, `whsec_…`; shown here only, and null in a replay.' }),
  })
  .openapi('WebhookEndpointWithSecret')

export const DEFAULT_OVERLAP_SECONDS = 86_400

export const SecretRotation = z
  .strictObject({
    overlap_seconds: z.int().min(0).max(604_800).optional().openapi({
      format: 'int32',
      default: DEFAULT_OVERLAP_SECONDS,
      description: 'How long the older secrets, and key pairs, go on signing beside the new one at most.',
    }),
    secret: SecretInput.optional(),
  })
  .openapi('SecretRotation')

export const Enabling = z
  .strictObject({
    send_held: z.boolean().optional().openapi({
      default: true,
      description: 'Whether what was held is sent now. If not, it stays held, and can be replayed.',
    }),
  })
  .openapi('WebhookEndpointEnabling')

export const TestResult = z
  .object({
    status_code: z.int().nullable().openapi({ format: 'int32', description: 'Null when no status came.' }),
    latency_ms: z.int().openapi({ format: 'int32' }),
    error: z.string().nullable().openapi({
      description: 'What went wrong, in one word; null for a success, and for nothing else.',
      example: 'timeout',
    }),
    response_excerpt: z.string().nullable().openapi({ description: 'The beginning of the answer.' }),
  })
  .openapi('WebhookTestResult')

export const SigningKeyView = z
  .object({
    id: z.string().openapi({ example: 'whk_01jd0000000000000000000000000' }),
    object: z.literal('webhook_signing_key'),
    endpoint_id: z.string(),
    algorithm: z.literal('ed25519'),
    public_key: z.string().openapi({
      description: '`whpk_` and the 32 bytes of the public key in base64.',
      example: 'whpk_ZlN4eg7dSSqi0moX9hQUk3orrOouK3QVQSlJa248c/g=',
    }),
    created_at: Timestamp,
    expires_at: NullableTimestamp.openapi({
      description: 'When it stops to sign; null for the present key of its endpoint.',
    }),
  })
  .openapi('WebhookSigningKey')

export const SigningKeyPage = pageOf('WebhookSigningKeyPage', SigningKeyView)
