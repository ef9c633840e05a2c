import { describe, expect, it } from 'vitest'
import type { Signing } from '../../openapi/webhooks.ts'
import { randomBytes } from '../ids.ts'
import { seal } from '../vault.ts'
import { mintKey } from './keys.ts'
import { openRecipient, type SealedRecipient } from './recipient.ts'

const keys = JSON.stringify({ a: btoa('k'.repeat(32)) })
const sealed = (text: string, owner = 'we_1') => seal(keys, text, owner, randomBytes)
const [present, former] = await Promise.all([1, 2].map((at) => mintKey(keys, 'we_1', at, randomBytes)))
if (!present || !former) throw new Error('No keys.')

const recipient = (more: Partial<SealedRecipient> = {}): SealedRecipient => ({
  endpointId: 'we_1',
  url: 'https://example.com/hook',
  signing: 'hmac',
  keys: [present.key, former.key],
  sealedHeaders: null,
  ...more,
})
const foreignHeaders = await sealed('{}', 'we_2')
const withHeaders = async (text: string) =>
  openRecipient(keys, recipient({ sealedHeaders: await sealed(text) }))

describe('a recipient', () => {
  it.each<[Signing, number, number]>([
    ['hmac', 2, 0],
    ['ed25519', 0, 2],
    ['both', 2, 2],
  ])('that wants %s is signed for by %i secrets and %i seeds', async (signing, secrets, seeds) => {
    const opened = await openRecipient(keys, recipient({ signing }))

    expect(opened.url).toBe('https://example.com/hook')
    expect(opened.secrets).toEqual([present.secret, former.secret].slice(0, secrets))
    expect(opened.seeds).toEqual(Array.from({ length: seeds }, () => expect.stringMatching(/^whsk_/)))
    expect(new Set(opened.seeds).size).toBe(seeds)
  })

  it.each<[Signing, object]>([
    ['hmac', { sealedSeed: 'nonsense' }],
    ['ed25519', { sealedSecret: 'nonsense' }],
  ])('that wants %s needs nothing else opened', async (signing, damage) => {
    const damaged = recipient({ signing, keys: [{ ...present.key, ...damage }] })

    await expect(openRecipient(keys, damaged)).resolves.toMatchObject({ url: damaged.url })
  })

  it.each<[string, Partial<SealedRecipient>]>([
    ['a secret is damaged', { keys: [present.key, { ...former.key, sealedSecret: 'nonsense' }] }],
    ['a seed is damaged', { signing: 'both', keys: [{ ...present.key, sealedSeed: 'nonsense' }] }],
    ['its keys are those of another endpoint', { endpointId: 'we_2' }],
    ['its headers are those of another endpoint', { sealedHeaders: foreignHeaders }],
    ['its headers are damaged', { sealedHeaders: 'nonsense' }],
  ])('does not open when %s', async (_, change) => {
    await expect(openRecipient(keys, recipient(change))).rejects.toThrow()
  })
})

describe('the headers of a recipient', () => {
  it.each([
    [null, {}],
    ['{}', {}],
    ['{"X-Key":"a","y":""}', { 'X-Key': 'a', y: '' }],
  ])('open from %s', async (text, headers) => {
    const sealedHeaders = text === null ? null : await sealed(text)

    expect((await openRecipient(keys, recipient({ sealedHeaders }))).headers).toEqual(headers)
  })

  it.each([
    ['no JSON', 'nonsense'],
    ['null', 'null'],
    ['a list', '["X-Key"]'],
    ['a number', '1'],
    ['a value that is no text', '{"X-Key":1}'],
    ['a value that is missing', '{"X-Key":null}'],
    ['a name with a space', '{"X Key":"a"}'],
    ['a name that is empty', '{"":"a"}'],
    ['a value with a line break', '{"X-Key":"a\\r\\nb"}'],
    ['a value beyond Latin-1', '{"X-Key":"あ"}'],
  ])('do not open from %s', async (_, text) => {
    await expect(withHeaders(text)).rejects.toThrow()
  })
})
