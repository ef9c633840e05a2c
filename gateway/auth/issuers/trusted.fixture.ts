/** A directory with a trusted issuer, its place in the network, and isolates that look at both. */
import { eq } from 'drizzle-orm'
import { removeIssuer } from '../../../ledger/directory/issuers.ts'
import type { Directory } from '../../../ledger/directory/open.ts'
import { issuers } from '../../../ledger/directory/schema.ts'
import {
  around,
  type Clock,
  ISSUER,
  JWKS,
  METADATA,
  Network,
  NOW,
  publicKey,
  registered,
} from './issuer.fixture.ts'
import { TrustedIssuers } from './trusted.ts'

export const [one, two] = [await publicKey('one'), await publicKey('two')]
export const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]

export let directory: Directory
export let network: Network
export let clock: Clock

/** Before each test. */
export async function prepare(): Promise<void> {
  directory = await registered()
  clock = { at: NOW }
  network = new Network()
  network.json(METADATA, { issuer: ISSUER, jwks_uri: JWKS })
  network.json(JWKS, { keys: [one] })
}

export const down = () => {
  network.answers[METADATA] = () => Promise.reject(new Error('refused'))
}
export const up = () => network.json(METADATA, { issuer: ISSUER, jwks_uri: JWKS })
export const readings = () => network.timesAsked(METADATA)

/** An isolate that has just started, and what it says of a key. */
export function isolate() {
  const trusted = new TrustedIssuers()
  const { surroundings, seen } = around(directory, network, clock)
  const says = async (kid: string) => {
    const found = await trusted.find(ISSUER, surroundings)
    if (!found || found === 'too many requests') return found
    const key = await trusted.keyOf(found, kid, surroundings)
    return key === null || key === 'out of reach' ? key : 'known'
  }
  return { says, seen, trusted, surroundings }
}

export const remove = async () => {
  const row = await directory.select().from(issuers).where(eq(issuers.id, 'iss_1')).get()
  if (row) await removeIssuer(directory, row, { operator: 'o', reason: 'a test', at: clock.at, kept: null })
}
