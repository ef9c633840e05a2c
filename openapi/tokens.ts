/** The token endpoint as the document tells of it. Its answers are RFC 6749's, so no router describes it. */
import { z } from '@hono/zod-openapi'
import { openEnum } from './enums.ts'
import { type Scope, tenantScopes } from './tenant-words.ts'

const TokenRequest = z
  .object({
    grant_type: z.literal('client_credentials'),
    scope: z
      .string()
      .optional()
      .meta({
        description: 'Scopes with spaces between; default: all that the client has.',
        example: tenantScopes.join(' '),
      }),
    client_id: z
      .string()
      .optional()
      .meta({ description: 'Here or by HTTP Basic, not by both (`client_secret_post`).' }),
    client_secret: z.string().optional().meta({ description: 'With `client_id`.' }),
    client_assertion_type: z
      .literal('urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
      .optional()
      .meta({ description: 'For clients that prove themselves by a key (`private_key_jwt`).' }),
    client_assertion: z
      .string()
      .optional()
      .meta({ description: "A JWT that the client's key has signed (RFC 7523), instead of a secret." }),
  })
  .meta({ id: 'TokenRequest', description: 'Client credentials (RFC 6749, section 4.4.2).' })

export const Token = z
  .object({
    access_token: z.string().meta({ description: 'A JWT (RFC 9068). Take it as it is.' }),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'In seconds. Fetch the next one a little before.' }),
    scope: z.string().meta({ description: 'What it allows, with spaces between.' }),
  })
  .meta({ id: 'Token', description: 'An access token (RFC 6749, section 5.1).' })

const ErrorCode = openEnum(
  'OAuthErrorCode',
  ['invalid_request', 'invalid_client', 'unsupported_grant_type', 'invalid_scope', 'temporarily_unavailable'],
  'What is the matter.',
)

export const OAuthError = z.object({ error: ErrorCode, error_description: z.string() }).meta({
  id: 'OAuthError',
  description: 'An error by RFC 6749, section 5.2; the token endpoint answers no problems.',
})

const failure = (description: string) => ({
  description,
  content: { 'application/json': { schema: OAuthError } },
})

/** Basic by name and password is what generators know; a secret or an assertion in the form needs no scheme. */
export const tokenRoute = {
  method: 'post' as const,
  path: '/oauth/token',
  operationId: 'createToken',
  tags: ['Authentication'],
  summary: 'Fetch an access token',
  description: [
    'The first call of every integration: client ID and secret for a token, which the other operations take as',
    '`Authorization: Bearer …`. Keep it for its lifetime; ask for the next one a little before that ends.',
  ].join('\n'),
  security: [{ clientSecretBasic: [] }, {}],
  request: {
    body: { required: true, content: { 'application/x-www-form-urlencoded': { schema: TokenRequest } } },
  },
  responses: {
    200: { description: 'The token.', content: { 'application/json': { schema: Token } } },
    400: failure('The request is not valid, or asks for a scope that the client may not have.'),
    401: failure('Unknown client, or not its secret or key.'),
    429: failure('Too many token requests.'),
    503: failure('Clients cannot be looked up for the moment.'),
  },
}

const scopeTexts: Record<Scope, string> = {
  'jobs:read': 'Read jobs, batches and files, and their results.',
  'jobs:write': 'Submit, cancel and delete jobs and batches; upload and delete files.',
  'webhooks:read': 'Read webhook endpoints and their public keys, deliveries and events.',
  'webhooks:write': 'Create, change, test and delete webhook endpoints; retry and replay deliveries.',
  'usage:read': 'Read limits and usage.',
  'ops:read': 'Read what operators see.',
  'ops:write': 'Change what operators may change.',
}

export const securitySchemes = (scopes: readonly Scope[], baseUrl: string) => ({
  oauth2: {
    type: 'oauth2' as const,
    description: 'Client credentials. The token is a JWT that goes as `Authorization: Bearer …`.',
    flows: {
      clientCredentials: {
        tokenUrl: `${baseUrl}/oauth/token`,
        scopes: Object.fromEntries(scopes.map((scope) => [scope, scopeTexts[scope]])),
      },
    },
  },
  clientSecretBasic: {
    type: 'http' as const,
    scheme: 'basic',
    description: 'Client ID and secret, form-encoded (RFC 6749, section 2.3.1); at the token endpoint only.',
  },
})
