/** Made when first asked for, and kept: it takes long, anybody may ask, and the base URL is always the same. */
export function kept<D>(make: (baseUrl: string) => D) {
  const made = new Map<string, D>()
  return (baseUrl: string): D => {
    const document = made.get(baseUrl) ?? make(baseUrl)
    made.set(baseUrl, document)
    return document
  }
}
