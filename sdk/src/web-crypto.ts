/** WebCrypto, which Node 18 has, but not as a global. */

let found: Promise<Crypto> | undefined

export function webCrypto(): Promise<Crypto> {
  found ??= find()
  return found
}

async function find(): Promise<Crypto> {
  if (typeof crypto !== 'undefined') return crypto
  // Put together here, so that bundlers for browsers do not go looking for it.
  const name = ['node', 'crypto'].join(':')
  return (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)).webcrypto
}

export const newKey = async (): Promise<string> => (await webCrypto()).randomUUID()
