import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { admit } from './callers.ts'
import { addClient, disableClient } from './clients.ts'
import { type MemoryDirectory, memoryDirectory } from './directory.fixture.ts'
import { type Directory, openDirectory } from './open.ts'
import { addTenant } from './operations.ts'
import { beginDeletion, newcomer } from './tenant-changes.ts'

const NOW = 1_800_000_000_000
const KEPT_MS = 30_000
const act = { operator: 'client_op', reason: 'a test', at: NOW, kept: null }

let memory: MemoryDirectory
let directory: Directory
let tenantId: string
let clientId: string
beforeEach(async () => {
  memory = memoryDirectory()
  directory = openDirectory(memory.database)
  // Whom an isolate has let in it knows for a while, so each test has its own.
  ;[tenantId, clientId] = [`t-${randomUUID()}`, `client_${randomUUID()}`]
  await newTenant(tenantId)
})

const newTenant = (id: string) => addTenant(directory, { ...newcomer(id, {}, NOW), generation: 3 }, act)
const newClient = (owner: string | null, id = clientId) =>
  addClient(directory, { id, tenantId: owner, name: 'one', scopes: [], secretHash: 'x', createdAt: NOW }, act)
const admitted = (at = NOW) => admit(memory.database, { tenantId, clientId }, at)
const operatorAdmitted = (at = NOW) => admit(memory.database, { tenantId: null, clientId }, at)

describe("a tenant's client", () => {
  it('comes in to the ledger of its tenant, for one question in half a minute', async () => {
    await newClient(tenantId)
    const before = memory.asked.length

    for (const later of [0, 1, KEPT_MS - 1])
      expect(await admitted(NOW + later)).toEqual({ ledger: `${tenantId}:3:0` })

    expect(memory.asked.length - before).toBe(1)
  })

  it('that was disabled is out within half a minute, and stays out without more questions than that', async () => {
    await newClient(tenantId)
    await admitted()
    await disableClient(directory, clientId, NOW, act)

    expect(await admitted(NOW + KEPT_MS - 1)).not.toBeNull()
    expect(await admitted(NOW + KEPT_MS)).toBeNull()
    const before = memory.asked.length
    expect(await admitted(NOW + KEPT_MS + 1)).toBeNull()
    expect(memory.asked.length).toBe(before)
  })

  it('that belongs to another tenant, or to operators, is refused', async () => {
    await newTenant('t-other')
    await newClient('t-other')
    expect(await admitted()).toBeNull()

    clientId = `client_${randomUUID()}`
    await newClient(null)
    expect(await admitted()).toBeNull()
  })

  it('of a tenant that is being deleted is refused, known or not', async () => {
    await beginDeletion(directory, tenantId, act)

    expect(await admitted()).toBeNull()
  })

  it('that the directory does not know comes in', async () => {
    expect(await admitted()).not.toBeNull()
  })

  it('of a tenant that is not there is refused until it is', async () => {
    tenantId = `t-${randomUUID()}`
    expect(await admitted()).toBeNull()

    await newTenant(tenantId)
    expect(await admitted()).not.toBeNull()
  })
})

describe('an operator', () => {
  it('comes in for one question in half a minute, and is out within that when disabled', async () => {
    await newClient(null)
    const before = memory.asked.length
    expect(await operatorAdmitted()).toEqual({ ledger: null })
    expect(await operatorAdmitted(NOW + 1)).toEqual({ ledger: null })
    expect(memory.asked.length - before).toBe(1)

    await disableClient(directory, clientId, NOW, act)

    expect(await operatorAdmitted(NOW + KEPT_MS)).toBeNull()
  })

  it('is no client of a tenant', async () => {
    await newClient(tenantId)

    expect(await operatorAdmitted()).toBeNull()
  })
})
