/** The key-encryption key that the specs' present one has replaced: what lies under it is still opened. */
const key = btoa('the key of the year before, as it'.slice(0, 32))

/** For sealing as the gateway did then. */
export const FORMER_KEYS = JSON.stringify({ former: key })

/** Value of the secret `KEY_ENCRYPTION_KEYS`: the given ones, the first of which seals, and the former one. */
export const withFormerKey = (keys: string) =>
  JSON.stringify({ ...(JSON.parse(keys) as Record<string, string>), former: key })
