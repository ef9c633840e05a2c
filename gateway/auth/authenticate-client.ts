/** Whether a client is who it says: asked of the directory. */
import { type ClientRow, findClient } from '../../ledger/directory/clients.ts'
import { type Directory, openDirectory } from '../../ledger/directory/open.ts'
import { spendAssertion } from '../../ledger/directory/used-assertions.ts'
import { sha256 } from '../encoding.ts'
import { verifyAssertion } from './assertion.ts'
import { isSecretOf } from './clients.ts'
import type { Credentials } from './credentials.ts'

export type Authenticated =
  | { readonly ok: true; readonly client: ClientRow }
  | { readonly ok: false; readonly description: string }

/** One text for all that whoever does not hold the secret or the key could find out by. */
const failed = { ok: false, description: 'Unknown client, or not its secret or key.' } as const

export async function authenticateClient(
  database: D1Database,
  baseUrl: string,
  credentials: Credentials,
  now: number,
): Promise<Authenticated> {
  const directory = openDirectory(database)
  const client = await findClient(directory, credentials.id)
  if (!client || client.disabledAt !== null) return failed
  if (credentials.kind === 'assertion')
    return byAssertion(directory, baseUrl, client, credentials.assertion, now)
  return (await isSecretOf(client, credentials.secret, now)) ? { ok: true, client } : failed
}

async function byAssertion(
  directory: Directory,
  baseUrl: string,
  client: ClientRow,
  assertion: string,
  now: number,
): Promise<Authenticated> {
  if (!client.jwks) return failed
  const verified = await verifyAssertion(baseUrl, client.jwks, client.id, assertion, now)
  if (!verified.ok) return verified.because === null ? failed : unfit(verified.because)
  const hash = await sha256(JSON.stringify([client.id, verified.jti]))
  return (await spendAssertion(directory, hash, verified.expiresAt)) ? { ok: true, client } : unfit('jti')
}

const expected: Readonly<Record<string, string>> = {
  aud: 'must be the issuer, and nothing beside it',
  exp: 'must lie ahead, by 5 minutes at most',
  iss: 'must be the client ID',
  jti: 'must be a new one each time',
  sub: 'must be the client ID',
  typ: 'must be client-authentication+jwt, or JWT',
}

/** The signature is the client's, so it may know. */
const unfit = (claim: string) => ({
  ok: false as const,
  description: `The assertion is not accepted: ${claim} ${expected[claim] ?? 'is not as it must be'}.`,
})
