import type { OAuthError, Token } from '../tokens.ts'
import type { Examples } from './example.ts'

export const tokenExamples: { Token: Examples<typeof Token>; OAuthError: Examples<typeof OAuthError> } = {
  Token: {
    token: {
      summary: 'A token for fifteen minutes',
      value: {
        access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6IjEifQ.eyJzdWIiOiJjIn0.c2lnbmF0dXJl',
        token_type: 'Bearer',
        expires_in: 900,
        scope: 'jobs:read jobs:write',
      },
    },
  },
  OAuthError: {
    invalidClient: {
      summary: 'Unknown client, or not its secret or key',
      value: { error: 'invalid_client', error_description: 'Unknown client, or not its secret or key.' },
    },
  },
}
