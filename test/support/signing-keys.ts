/** The keys of the specs' issuer, which is in the midst of its rotations. */
import { localSecrets } from '../../scripts/support/secrets.ts'

const DAY_MS = 86_400_000

export interface OtherKeys {
  /** Its last token has ended. */
  readonly gone: Record<string, string>
  /** Replaced just now by the one that signs. */
  readonly old: Record<string, string>
  /** Its time has not come. */
  readonly next: Record<string, string>
}

/** The secret `SIGNING_KEYS` for a run in which this key signs, and the others that it holds. */
export async function amidRotations(signingKey: Record<string, string>, now: number) {
  const [gone, old, next] = [await newKey(), await newKey(), await newKey()]
  const from = (at: number) => ({ use_from: new Date(at).toISOString() })
  const keys = [
    { ...next, ...from(now + DAY_MS) },
    gone,
    { ...signingKey, ...from(now) },
    { ...old, ...from(now - DAY_MS) },
  ]
  return { SIGNING_KEYS: JSON.stringify(keys), otherKeys: { gone, old, next } satisfies OtherKeys }
}

const newKey = async () => (await localSecrets()).signingKey
