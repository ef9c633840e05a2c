/** A bucket in memory, as far as submissions are remembered in one. */
import type { Memory } from './submissions.ts'

export function bucket(): Memory & { readonly keys: () => string[] } {
  const objects = new Map<string, Record<string, string>>()
  const objectOf = (key: string) => {
    const customMetadata = objects.get(key)
    return customMetadata ? ({ key, customMetadata } as unknown as R2Object) : null
  }
  return {
    keys: () => [...objects.keys()],
    head: async (key: string) => objectOf(key),
    put: async (key: string, _value: unknown, options?: R2PutOptions) => {
      if (options?.onlyIf && objects.has(key)) return null as unknown as R2Object
      objects.set(key, options?.customMetadata ?? {})
      return objectOf(key) as R2Object
    },
    list: async ({ prefix = '' }: R2ListOptions = {}) => {
      const found = [...objects.keys()].filter((key) => key.startsWith(prefix)).map(objectOf)
      return { objects: found, truncated: false } as unknown as R2Objects
    },
  }
}
