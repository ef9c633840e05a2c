import { describe, expect, it } from 'vitest'
import { LineObject, writeLines } from './line-object.ts'

/** A bucket that keeps what it is given, as text, and each part's number and size. */
function memory() {
  const objects = new Map<string, string>()
  const sizes: number[] = []
  const numbers: number[] = []
  const aborted: string[] = []
  const decoder = new TextDecoder()
  const bucket = {
    async put(key: string, bytes: Uint8Array, { onlyIf }: { onlyIf?: unknown } = {}) {
      if (!onlyIf || !objects.has(key)) objects.set(key, decoder.decode(bytes))
    },
    async createMultipartUpload(key: string) {
      const parts: Uint8Array[] = []
      return {
        async uploadPart(partNumber: number, bytes: Uint8Array) {
          parts.push(bytes)
          sizes.push(bytes.byteLength)
          numbers.push(partNumber)
          return { partNumber, etag: '' }
        },
        async complete() {
          objects.set(key, parts.map((part) => decoder.decode(part)).join(''))
        },
        async abort() {
          aborted.push(key)
        },
      }
    },
  }
  const asked = bucket as unknown as ConstructorParameters<typeof LineObject>[0]
  return { bucket: asked, objects, sizes, numbers, aborted }
}

async function write(bucket: ReturnType<typeof memory>['bucket'], lines: unknown[], partBytes?: number) {
  const object = new LineObject(bucket, 'key', partBytes)
  for (const line of lines) await object.add(textOf([line]))
  await object.close()
}

const textOf = (lines: unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

describe('an object of lines', () => {
  it('is written in one piece, once, when it is small', async () => {
    const { bucket, objects, sizes } = memory()

    await write(bucket, [{ n: 1 }, { n: 2 }])
    await write(bucket, [{ n: 3 }])

    expect(objects.get('key')).toBe('{"n":1}\n{"n":2}\n')
    expect(sizes).toEqual([])
  })

  it('is empty without lines', async () => {
    const { bucket, objects } = memory()

    await write(bucket, [])

    expect(objects.get('key')).toBe('')
  })

  it.each([7, 10, 16, 64, 1000])('is written in parts of %i bytes when it is larger', async (partBytes) => {
    const { bucket, objects, sizes } = memory()
    const lines = Array.from({ length: 200 }, (_, n) => ({ n, text: 'x'.repeat(n % 90) }))

    await write(bucket, lines, partBytes)

    expect(objects.get('key')).toBe(textOf(lines))
    expect(new Set(sizes.slice(0, -1))).toEqual(new Set([partBytes]))
    expect(sizes.at(-1)).toBeLessThanOrEqual(partBytes)
  })

  it('is written in parts that are numbered from 1, of which none is empty', async () => {
    const { bucket, objects, sizes, numbers } = memory()
    const line = textOf([{ n: 1 }])

    await write(bucket, [{ n: 1 }], line.length)
    expect(sizes).toEqual([])
    objects.clear()
    await write(bucket, [{ n: 1 }, { n: 1 }, { n: 1 }], line.length)

    expect(sizes).toEqual([line.length, line.length, line.length])
    expect(numbers).toEqual([1, 2, 3])
  })

  it('that cannot be finished leaves nothing behind', async () => {
    const { bucket, objects, aborted } = memory()
    const half = writeLines(bucket, 'key', async (lines) => {
      for (let n = 0; n < 9; n++) await lines.add('x'.repeat(1024 * 1024))
      throw new Error('The source broke off.')
    })

    await expect(half).rejects.toThrow('The source broke off.')
    expect(aborted).toEqual(['key'])
    expect(objects.size).toBe(0)
  })
})
