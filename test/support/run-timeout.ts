/** How long a call of a provider may take in the Workers of the specs. */
export const RUN_TIMEOUT_SECONDS = 7
