import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { lineOf, rulesOf } from './item.fixture.ts'
import { inputSha256, itemKey, readLine } from './item.ts'

describe('the digests of an item', () => {
  const work = {
    tenantId: 'acme',
    kind: 'embed' as const,
    processingVersion: '1',
    model: 'embedded/hash-1',
    modelVersion: '1',
  }

  it('are its key, of all that makes it the same work', async () => {
    const parts = ['acme', 'embed', 'a:1', '1', 'embedded/hash-1', '1']
    const expected = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)

    expect(await itemKey(work, 'a:1')).toBe(expected)
    const others = [
      itemKey(work, 'a:2'),
      itemKey({ ...work, tenantId: 'globex' }, 'a:1'),
      itemKey({ ...work, kind: 'classify' }, 'a:1'),
      itemKey({ ...work, processingVersion: '2' }, 'a:1'),
      itemKey({ ...work, model: 'test/slow' }, 'a:1'),
      itemKey({ ...work, modelVersion: '2' }, 'a:1'),
    ]
    expect(new Set([...(await Promise.all(others)), expected]).size).toBe(7)
  })

  it('are that of its input, however it is written', async () => {
    const digestOf = async (source: string) => {
      const read = readLine(lineOf(source), rulesOf('classify'))
      return read.ok ? inputSha256(read.value) : null
    }
    const canonical = '{"labels":["a","b"],"text":"é"}'

    const digests = await Promise.all([
      digestOf('{"external_reference":"a","input":{"text":"é","labels":["a","b"]}}'),
      digestOf('{ "input": { "labels": ["a", "b"], "text": "\\u00e9" }, "external_reference": "b" }'),
    ])

    const expected = createHash('sha256').update(canonical).digest('hex')
    expect(digests).toEqual([expected, expected])
  })
})
