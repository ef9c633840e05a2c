/** What the providers that we call from outside have in common: parsing what came, and counting where they do not. */
import { z } from '@hono/zod-openapi'
import type { Model } from '../../catalog/models.ts'
import type { TokenUsage } from '../../ledger/usage.ts'
import type { Attempt, Audio } from '../provider.ts'

const CHARACTERS_PER_TOKEN = 4

/** The text as JSON; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Where a provider does not count, about four characters are a token. */
export const estimatedTokens = (text: string) => Math.ceil(text.length / CHARACTERS_PER_TOKEN)

/** A name that a provider gives: kept and logged only in the shape of one, since it could be any text of any length. */
export const nameOf = (name: string | null | undefined) =>
  name && /^[A-Za-z0-9._:/@-]{1,128}$/.test(name) ? name : null

export const Count = z.int().min(0)

/** An answer that is not what was asked for, at whatever it is known to have cost. */
export const unusable = (usage: TokenUsage | 'unknown', facts: Partial<Attempt> = {}): Attempt => ({
  kind: 'failed',
  class: 'invalid_output',
  retryAfterMs: null,
  usage,
  ...(facts.providerRequestId && { providerRequestId: facts.providerRequestId }),
  ...(facts.modelVersion && { modelVersion: facts.modelVersion }),
})

export const audioTooLarge = ({ bytes }: Audio, { maxAudioBytes }: Model) =>
  bytes.byteLength > (maxAudioBytes ?? 0)
