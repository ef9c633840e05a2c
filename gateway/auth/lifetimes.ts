/** How long what our issuer makes is good for. */

/** An access token. */
export const TOKEN_SECONDS = 900
/** By how much clocks may differ. */
export const CLOCK_TOLERANCE_SECONDS = 10
/** The published keys, in the caches of others. A key that is to sign must have been published for longer. */
export const JWKS_SECONDS = 300
