/** Webhook endpoints as customers send and see them. */
import { z } from '@hono/zod-openapi'
import { Metadata, MetadataInput, NullableTimestamp, pageOf, Timestamp } from './common.ts'
import { closedEnum, noted, openEnum, orNull } from './enums.ts'
import { DisabledReasonShown, EndpointStatus, eventTypes, signings } from './webhooks.ts'

/** What an endpoint may subscribe to: event names, a family of them, or all. */
export const subscriptions = [...eventTypes, 'job.*', 'batch.*', '*'] as const

export const SubscriptionInput = closedEnum(
  'EventSubscriptionInput',
  subscriptions,
  'A type of event, all of a family (`job.*`, `batch.*`), or all (`*`).',
)
/** As it was asked for then, which later lists need not know. */
const SubscriptionShown = z.string().meta({
  id: 'EventSubscription',
  description: 'A type of event, all of a family, or all (`*`). More values may be added.',
  anyOf: [{ type: 'string', enum: [...subscriptions] }, { type: 'string' }],
})

const SIGNATURES =
  'Which signatures are sent: `hmac` (v1, by the secret), `ed25519` (v1a, by a key pair of the endpoint) or both.'
const SigningShown = openEnum('WebhookSigning', signings, SIGNATURES)
const SigningInput = closedEnum('WebhookSigningInput', signings, SIGNATURES)
const StatusInput = closedEnum(
  'WebhookEndpointStatusInput',
  ['enabled', 'disabled'],
  '`disabled` holds what is to be delivered; `enabled` does what `/enable` does.',
)

/** In the words of JSON Schema, of which the types of the document know only some. */
const ownHeaders = {
  maxProperties: 20,
  propertyNames: { maxLength: 64, pattern: "^[!#$%&'*+\\-.^_`|~0-9A-Za-z]+$" },
  additionalProperties: {
    type: 'string' as const,
    minLength: 1,
    maxLength: 1024,
    pattern: '^[!-~](?:[\\t -~]*[!-~])?$',
  },
}

/** Which names and values are taken is for one rule to say, which tells each place that is wrong. */
const HeadersInput = z.record(z.string(), z.string()).meta({
  id: 'WebhookHeadersInput',
  description:
    'Sent with every webhook: for instance credentials that the receiver asks for. Kept encrypted and never shown again. Up to 20; names of up to 64 characters, unique whatever their case, and none that the service sets itself; values of visible ASCII with spaces and tabs inside.',
  ...ownHeaders,
})

/** Base64 of 24 to 64 bytes in its one spelling: whole groups, and a last one whose bits that stand for nothing are 0. */
const GROUP = '[A-Za-z0-9+/]{4}'
const LAST_OF_ONE = '[A-Za-z0-9+/][AQgw]=='
const LAST_OF_TWO = '[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]='
const SECRET_PATTERN = `^whsec_(?:(?:${GROUP}){8,20}(?:${LAST_OF_ONE}|${LAST_OF_TWO})?|(?:${GROUP}){21}(?:${LAST_OF_ONE})?)$`

const SecretInput = z.string().meta({
  pattern: SECRET_PATTERN,
  description:
    'A signing secret of your own, for a move from elsewhere: `whsec_` and the base64 of 24 to 64 bytes. Without it a fresh one is made.',
  example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
})

/** What is settable about an endpoint. */
export const settable = {
  url: z.string().min(1).max(2048).meta({
    format: 'iri',
    description: 'https, a public name, port 443.',
    example: 'https://app.customer.example/hooks/ai',
  }),
  event_types: z
    .array(SubscriptionInput)
    .min(1)
    .max(subscriptions.length)
    .meta({ description: 'Which events are sent to it.' }),
  description: z.string().max(500).nullable().meta({ description: 'For yourself.' }),
  signing: SigningInput,
  ordered: z.boolean().meta({
    description:
      'Whether the events of one job or batch arrive strictly one after the other. One that cannot be delivered then holds up those that follow it.',
  }),
  max_per_second: z.int().min(1).max(1000).nullable().meta({
    format: 'int32',
    description: 'Webhooks sent in a second at most; null for no limit.',
  }),
  headers: orNull(HeadersInput),
  metadata: MetadataInput,
}

export const WebhookEndpointRequest = z
  .strictObject({
    url: settable.url,
    event_types: settable.event_types.optional().meta({ default: ['*'] }),
    description: settable.description.optional(),
    signing: noted(settable.signing, { default: 'hmac' }).optional(),
    ordered: settable.ordered.optional().meta({ default: false }),
    max_per_second: settable.max_per_second.optional(),
    headers: settable.headers.optional(),
    metadata: settable.metadata.optional(),
    secret: SecretInput.optional(),
  })
  .meta({ id: 'WebhookEndpointRequest', description: 'An endpoint to send webhooks to.' })
export type WebhookEndpointRequest = z.infer<typeof WebhookEndpointRequest>

export const WebhookEndpointPatch = z
  .strictObject(settable)
  .partial()
  .extend({
    status: StatusInput.optional(),
  })
  .meta({
    id: 'WebhookEndpointPatch',
    description: 'What is not named stays as it is. `headers` and `metadata` are replaced whole.',
  })
export type WebhookEndpointPatch = z.infer<typeof WebhookEndpointPatch>

export const WebhookEndpoint = z
  .object({
    id: z.string().meta({ example: 'we_01kb9k7f2m004x9d1s6w8z3q5r7h' }),
    object: z.literal('webhook_endpoint'),
    url: z.string().meta({ format: 'uri' }),
    event_types: z.array(SubscriptionShown),
    description: z.string().nullable(),
    status: EndpointStatus,
    disabled_reason: orNull(DisabledReasonShown).meta({ description: 'Null for one that is enabled.' }),
    signing: SigningShown,
    public_keys: z.array(z.string()).meta({
      description: 'Ed25519 public keys that verify v1a signatures now, `whpk_…`, the present one first.',
    }),
    ordered: z.boolean(),
    max_per_second: z.int().nullable().meta({ format: 'int32' }),
    headers: z.array(z.string()).meta({ description: 'Names only; values are never shown.' }),
    metadata: Metadata,
    created_at: Timestamp,
  })
  .meta({ id: 'WebhookEndpoint', description: 'Where webhooks are sent, and which.' })
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>

export const WebhookEndpointPage = pageOf('WebhookEndpointPage', WebhookEndpoint)

export const WebhookEndpointWithSecret = z
  .object({
    ...WebhookEndpoint.shape,
    secret: z
      .string()
      .nullable()
      .meta({ description: 'The signing secret, `whsec_…`; shown here only, and null in a replay.' }),
  })
  .meta({
    id: 'WebhookEndpointWithSecret',
    description: 'An endpoint with its signing secret, as creation and rotation answer it.',
  })

export const DEFAULT_OVERLAP_SECONDS = 86_400

export const SecretRotation = z
  .strictObject({
    overlap_seconds: z.int().min(0).max(604_800).optional().meta({
      format: 'int32',
      default: DEFAULT_OVERLAP_SECONDS,
      description: 'How long the older secrets, and key pairs, go on signing beside the new one at most.',
    }),
    secret: SecretInput.optional(),
  })
  .meta({ id: 'SecretRotation', description: 'How a secret is replaced. All of it may be left out.' })

export const Enabling = z
  .strictObject({
    send_held: z.boolean().optional().meta({
      default: true,
      description: 'Whether what was held is sent now. If not, it stays held, and can be replayed.',
    }),
  })
  .meta({
    id: 'WebhookEndpointEnabling',
    description: 'How an endpoint is enabled. All of it may be left out.',
  })

export const TestResult = z
  .object({
    status_code: z.int().nullable().meta({ format: 'int32', description: 'Null when no status came.' }),
    latency_ms: z.int().meta({ format: 'int32' }),
    error: z.string().nullable().meta({
      description: 'What went wrong, in one word; null for a success, and for nothing else.',
      example: 'timeout',
    }),
    response_excerpt: z.string().nullable().meta({ description: 'The beginning of the answer.' }),
  })
  .meta({ id: 'WebhookTestResult', description: 'What the receiver answered to a test.' })

export const SigningKeyView = z
  .object({
    id: z.string().meta({ example: 'whk_01kb9k7f2n005q8r2t6v9x3z5b1d' }),
    object: z.literal('webhook_signing_key'),
    endpoint_id: z.string(),
    algorithm: z.literal('ed25519'),
    public_key: z.string().meta({
      description: '`whpk_` and the 32 bytes of the public key in base64.',
      example: 'whpk_ZlN4eg7dSSqi0moX9hQUk3orrOouK3QVQSlJa248c/g=',
    }),
    created_at: Timestamp,
    expires_at: NullableTimestamp.meta({
      description: 'When it stops to sign; null for the present key of its endpoint.',
    }),
  })
  .meta({ id: 'WebhookSigningKey', description: 'A public key that verifies webhooks.' })

export const SigningKeyPage = pageOf('WebhookSigningKeyPage', SigningKeyView)
