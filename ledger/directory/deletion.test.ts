import { beforeEach, describe, expect, it } from 'vitest'
import { addClient } from './clients.ts'
import { recordMessageDeadLetter } from './dead-letter-records.ts'
import { buryFigures, eraseRows, GONE, isBeingDeleted, letGo } from './deletion.ts'
import { memoryDirectory } from './directory.fixture.ts'
import { figuresOf, workOf } from './figures.fixture.ts'
import { type Directory, openDirectory } from './open.ts'
import { addTenant, findTenant } from './operations.ts'
import { type Snapshot, writeSnapshot } from './roll-ups.ts'
import { auditLog, clients, deadLetters, operatorKeys, rollUps, usageDays } from './schema.ts'
import { beginDeletion, newcomer } from './tenant-changes.ts'

const NOW = 1_800_000_000_000
const act = { operator: 'client_op', reason: 'a test', at: NOW, kept: null }
const acme = { tenantId: 'acme', generation: 1 }

let directory: Directory
beforeEach(async () => {
  directory = openDirectory(memoryDirectory().database)
  for (const id of ['acme', 'globex']) {
    await addTenant(directory, newcomer(id, {}, NOW), act)
    await newClient(id, `client_${id}`)
  }
})

const newClient = (tenantId: string, id: string) =>
  addClient(directory, { id, tenantId, name: 'one', scopes: [], secretHash: 'x', createdAt: NOW }, act)
const begun = () => beginDeletion(directory, 'acme', act)
const clientIds = async () => (await directory.select().from(clients)).map(({ id }) => id)

const letter = (tenantId: string, n: number) =>
  recordMessageDeadLetter(directory, {
    queue: 'jobs',
    messageSha256: String(n),
    attempts: 1,
    class: 'internal',
    status: 'open',
    tenantId,
    jobId: null,
    batchId: null,
    createdAt: NOW,
    why: 'a test',
  })

const figures = (open: number, attempts: number) =>
  figuresOf({
    work: [workOf({ open, cancelled: 2 })],
    now: { waiting: open, oldestWaitingAt: NOW, oldestUnfinishedAt: NOW },
    webhooks: { attempts: { delivered: attempts } },
  })
const snapshotAt = (revision: number, ...days: number[]): Snapshot => ({
  rollUp: { ledger: 'acme:1:0', revision, openJobs: 3, updatedAt: NOW, figures: figures(3, revision) },
  days: days.map((day) => ({ ledger: 'acme:1:0', tenantId: 'acme', day, revision, figures: [] })),
})

describe('the tombstone', () => {
  it('stands from the first operator on, and ends the clients', async () => {
    expect(await isBeingDeleted(directory, acme)).toBe(false)

    await begun()

    expect(await isBeingDeleted(directory, acme)).toBe(true)
    expect(await isBeingDeleted(directory, { ...acme, generation: 2 })).toBe(false)
    const disabled = (await directory.select().from(clients)).map(({ id, disabledAt }) => [id, disabledAt])
    expect(disabled).toEqual([
      ['client_acme', NOW],
      ['client_globex', null],
    ])
  })

  it('is set once', async () => {
    await begun()

    await expect(begun()).rejects.toThrow()

    const acts = (await directory.select().from(auditLog)).filter(({ action }) => action === 'tenant.delete')
    expect(acts).toHaveLength(1)
  })

  it('lets nothing be written about the tenant any more', async () => {
    await begun()

    await letter('acme', 1)
    await letter('globex', 2)
    await letter('nobody', 3)
    await writeSnapshot(directory, snapshotAt(1, 20_261_130))
    await expect(newClient('acme', 'client_late')).rejects.toThrow()

    expect((await directory.select().from(deadLetters)).map(({ tenantId }) => tenantId)).toEqual(['globex'])
    expect(await directory.select().from(rollUps)).toEqual([])
    expect(await directory.select().from(usageDays)).toEqual([])
  })
})

describe('erasing rows', () => {
  it("takes the tenant's, and nobody else's", async () => {
    await letter('acme', 1)
    await letter('globex', 2)
    await begun()

    await eraseRows(directory, acme)

    expect(await clientIds()).toEqual(['client_globex'])
    expect((await directory.select().from(deadLetters)).map(({ tenantId }) => tenantId)).toEqual(['globex'])
  })

  it.each([
    ['a tenant that lives', acme, false],
    ['another generation', { ...acme, generation: 2 }, true],
  ])('takes nothing of %s', async (_, departed, deleting) => {
    if (deleting) await begun()

    await eraseRows(directory, departed)

    expect(await clientIds()).toEqual(['client_acme', 'client_globex'])
  })
})

describe('burying figures', () => {
  const buried = () => buryFigures(directory, acme, snapshotAt(7, 20_261_130), 'deleted:x')

  it('keeps what was counted, under nobody, however often it is done', async () => {
    await writeSnapshot(directory, snapshotAt(6, 20_261_129, 20_261_130))
    await begun()

    await buried()
    await buried()

    const [row, ...others] = await directory.select().from(rollUps)
    expect(others).toEqual([])
    expect(row).toMatchObject({
      ledger: 'deleted:x',
      openJobs: 0,
      figures: {
        work: [{ open: 0, cancelled: 5 }],
        now: { waiting: 0, oldestWaitingAt: null },
        webhooks: { attempts: { delivered: 7 } },
      },
    })
    const days = await directory.select().from(usageDays)
    expect(days.map(({ ledger, tenantId, day, revision }) => [ledger, tenantId, day, revision])).toEqual([
      ['deleted:x', 'deleted:x', 20_261_129, 6],
      ['deleted:x', 'deleted:x', 20_261_130, 7],
    ])
  })

  it('is not brought to naught by a snapshot that comes late', async () => {
    await begun()
    await buried()

    await writeSnapshot(directory, snapshotAt(8, 20_261_130))

    expect((await directory.select().from(rollUps)).map(({ ledger }) => ledger)).toEqual(['deleted:x'])
  })
})

describe('the end of a deletion', () => {
  const key = (keyHash: string, response: object | string) => ({
    keyHash,
    fingerprint: 'f',
    response: typeof response === 'string' ? response : JSON.stringify(response),
    createdAt: NOW,
  })

  it('frees the ID, for the generation that follows', async () => {
    await begun()
    await letGo(directory, acme, NOW)

    expect(await findTenant(directory, 'acme')).toBeUndefined()
    for (const generation of [2, 3]) {
      await addTenant(directory, newcomer('acme', {}, NOW), act)
      expect(await findTenant(directory, 'acme')).toMatchObject({ generation, status: 'active' })
      await begun()
      await letGo(directory, { ...acme, generation }, NOW)
    }
    expect(await findTenant(directory, 'globex')).toMatchObject({ generation: 1 })
  })

  it('frees nothing that lives', async () => {
    await letGo(directory, acme, NOW)

    expect(await findTenant(directory, 'acme')).toMatchObject({ generation: 1 })
  })

  it('leaves no answer of before, and the keys used up', async () => {
    await directory
      .insert(operatorKeys)
      .values([
        key('tenant', { object: 'tenant', id: 'acme' }),
        key('client', { object: 'client', id: 'client_1', tenant_id: 'acme' }),
        key('many', { data: [{ tenant_id: 'globex' }, { tenant_id: 'acme' }] }),
        key('another', { object: 'tenant', id: 'globex' }),
        key('by chance', { object: 'client', tenant_id: 'globex', name: 'acme' }),
        key('running', ''),
      ])
    await begun()

    await letGo(directory, acme, NOW)

    const rows = await directory.select().from(operatorKeys)
    const gone = rows.filter(({ response }) => response === GONE).map(({ keyHash }) => keyHash)
    expect([gone.sort(), rows.length]).toEqual([['client', 'many', 'tenant'], 6])
  })
})
