/** Who a delivery goes to, with the secrets that it takes. They are opened once for many attempts, and held no longer. */
import { z } from '@hono/zod-openapi'
import type { Signing } from '../../openapi/webhooks.ts'
import type { SigningKey } from '../schema.ts'
import { open } from '../vault.ts'

/** An endpoint as the ledger hands it to a sender: what is secret is sealed. */
export interface SealedRecipient {
  readonly endpointId: string
  readonly url: string
  readonly signing: Signing
  /** Those that sign now, the present one first. */
  readonly keys: readonly Pick<SigningKey, 'sealedSecret' | 'sealedSeed'>[]
  readonly sealedHeaders: string | null
}

export interface Recipient {
  readonly url: string
  /** `whsec_…`, for a signature each; empty where the endpoint wants none of this scheme. */
  readonly secrets: readonly string[]
  /** `whsk_…`, likewise. */
  readonly seeds: readonly string[]
  /** The endpoint's own headers. */
  readonly headers: Readonly<Record<string, string>>
}

/** Checked again since they were stored: one that cannot be sent would end the attempts at every delivery with it. */
const OwnHeaders = z.record(z.string(), z.string()).refine(canBeSent, { error: 'Not headers.' })

function canBeSent(headers: Record<string, string>): boolean {
  try {
    return new Headers(headers) !== null
  } catch {
    return false
  }
}

/** Throws when something cannot be opened: nothing is ever sent unsigned. */
export async function openRecipient(keys: string, sealed: SealedRecipient): Promise<Recipient> {
  const { endpointId, url, signing, sealedHeaders } = sealed
  const opened = (texts: string[]) => Promise.all(texts.map((text) => open(keys, text, endpointId)))
  return {
    url,
    secrets: signing === 'ed25519' ? [] : await opened(sealed.keys.map(({ sealedSecret }) => sealedSecret)),
    seeds: signing === 'hmac' ? [] : await opened(sealed.keys.map(({ sealedSeed }) => sealedSeed)),
    headers: sealedHeaders ? OwnHeaders.parse(JSON.parse(await open(keys, sealedHeaders, endpointId))) : {},
  }
}
