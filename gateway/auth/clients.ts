/** API clients: IDs, secrets and keys. The secret itself is never stored. */
import { toBase64url } from '../../ledger/base64.ts'
import type { ClientRow, Proof } from '../../ledger/directory/clients.ts'
import { mintId, randomBytes } from '../../ledger/ids.ts'
import type { ClientKeys } from '../../openapi/client-keys.ts'
import { sameText, sha256 } from '../encoding.ts'
import { checkedKeys } from './client-keys.ts'

const SECRET_BYTES = 32

export async function mintSecret() {
  const secret = `gws_${toBase64url(randomBytes(SECRET_BYTES))}`
  return { proof: { secretHash: await sha256(secret), jwks: null }, secret }
}

/** What a client proves who it is with: its keys, or else a fresh secret that is shown once. */
export async function mintProof(
  jwks: ClientKeys | undefined,
): Promise<{ proof: Proof; secret: string | null }> {
  if (!jwks) return mintSecret()
  return { proof: { secretHash: null, jwks: await checkedKeys(jwks) }, secret: null }
}

export const newClient = (
  tenantId: string | null,
  name: string,
  scopes: readonly string[],
  proof: Proof,
  now: number,
): ClientRow => ({
  id: mintId('client', 0, now, randomBytes),
  tenantId,
  name,
  scopes: [...scopes],
  ...proof,
  formerSecrets: [],
  disabledAt: null,
  createdAt: now,
})

/** Those that are taken at `now` besides the present one. */
export const validFormerSecrets = ({ formerSecrets }: Pick<ClientRow, 'formerSecrets'>, now: number) =>
  formerSecrets.filter(({ until }) => now < until)

export async function isSecretOf(client: ClientRow, secret: string, now: number): Promise<boolean> {
  const hash = await sha256(secret)
  const hashes = [client.secretHash, ...validFormerSecrets(client, now).map((former) => former.hash)]
  return hashes.some((one) => one !== null && sameText(hash, one))
}
