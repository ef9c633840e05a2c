import { beforeEach, describe, expect, it } from 'vitest'
import { addClient, disableClient, findClient, listClients, rotateClient } from './clients.ts'
import { memoryDirectory } from './directory.fixture.ts'
import { type Directory, openDirectory } from './open.ts'
import { addTenant } from './operations.ts'
import { auditLog } from './schema.ts'
import { newcomer } from './tenant-changes.ts'

const NOW = 1_800_000_000_000
const HOUR = 3_600_000
const actAt = (at: number) => ({ operator: 'client_op', reason: 'a test', at, kept: null })

let directory: Directory
beforeEach(async () => {
  directory = openDirectory(memoryDirectory().database)
  for (const id of ['acme', 'globex']) await addTenant(directory, newcomer(id, {}, NOW), actAt(NOW))
  await newClient('client_1')
})

const newClient = (id: string, tenantId: string | null = 'acme') =>
  addClient(
    directory,
    { id, tenantId, name: 'one', scopes: ['jobs:read'], secretHash: 'first', createdAt: NOW },
    actAt(NOW),
  )
const rotate = (secretHash: string, at: number, overlapMs: number) =>
  rotateClient(directory, 'client_1', { secretHash, jwks: null }, at + overlapMs, actAt(at))
const stored = () => findClient(directory, 'client_1')

describe("a client's secrets", () => {
  it('are the new one, and the older ones until the overlap is over', async () => {
    await rotate('second', NOW, HOUR)

    expect(await stored()).toMatchObject({
      secretHash: 'second',
      formerSecrets: [{ hash: 'first', until: NOW + HOUR }],
    })
  })

  it('are all taken when it is rotated again, as after an answer that was lost', async () => {
    await rotate('lost', NOW, HOUR)
    await rotate('third', NOW + 1000, HOUR)

    expect(await stored()).toMatchObject({
      secretHash: 'third',
      formerSecrets: [
        { hash: 'lost', until: NOW + 1000 + HOUR },
        { hash: 'first', until: NOW + HOUR },
      ],
    })
  })

  it('end all at once without an overlap', async () => {
    await rotate('second', NOW, HOUR)
    await rotate('third', NOW + 1000, 0)

    expect(await stored()).toMatchObject({ secretHash: 'third', formerSecrets: [] })
  })

  it('that have ended are forgotten', async () => {
    await rotate('second', NOW, HOUR)
    await rotate('third', NOW + 2 * HOUR, HOUR)

    expect(await stored()).toMatchObject({ formerSecrets: [{ hash: 'second', until: NOW + 3 * HOUR }] })
  })

  it('give way to keys with the same overlap', async () => {
    const jwks = { keys: [{ kty: 'OKP' as const, crv: 'Ed25519' as const, x: 'x' }] }
    await rotateClient(directory, 'client_1', { secretHash: null, jwks }, NOW + HOUR, actAt(NOW))
    await rotateClient(directory, 'client_1', { secretHash: null, jwks }, NOW + 2 * HOUR, actAt(NOW + 1))

    expect(await stored()).toMatchObject({
      secretHash: null,
      jwks,
      formerSecrets: [{ hash: 'first', until: NOW + HOUR }],
    })
  })
})

describe('a client', () => {
  it('that is disabled again keeps its time, and both are on record', async () => {
    await disableClient(directory, 'client_1', NOW + 1, actAt(NOW + 1))
    await disableClient(directory, 'client_1', NOW + 2, actAt(NOW + 2))

    expect(await stored()).toMatchObject({ disabledAt: NOW + 1 })
    const acts = (await directory.select().from(auditLog)).filter(({ target }) => target === 'client_1')
    expect(acts.map(({ action, at }) => [action, at])).toEqual([
      ['client.create', NOW],
      ['client.disable', NOW + 1],
      ['client.disable', NOW + 2],
    ])
  })

  it('is listed with its tenant, newest first, a page and one more', async () => {
    for (const [id, owner] of [
      ['client_2'],
      ['client_3', 'globex'],
      ['client_4'],
      ['client_5', null],
    ] as const)
      await newClient(id, owner)
    const ids = async (after: string | null, limit: number) =>
      (await listClients(directory, 'acme', after, limit)).map(({ id }) => id)

    expect(await ids(null, 1)).toEqual(['client_4', 'client_2'])
    expect(await ids('client_4', 5)).toEqual(['client_2', 'client_1'])
  })
})
