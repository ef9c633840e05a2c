import { beforeEach, describe, expect, it } from 'vitest'
import { type MemoryDirectory, peopledDirectory } from '../ledger/directory/directory.fixture.ts'
import { openDirectory } from '../ledger/directory/open.ts'
import { type Act, findTenant } from '../ledger/directory/operations.ts'
import { beginDeletion, changeStatus } from '../ledger/directory/tenant-changes.ts'
import { once } from './once.ts'
import { newRouter } from './router.ts'

const other = { operator: 'client_other', reason: 'a test', at: 1, kept: null }

let memory: MemoryDirectory
let done: number
let meanwhile: () => Promise<void>
beforeEach(async () => {
  memory = await peopledDirectory('acme')
  done = 0
})

const directory = () => openDirectory(memory.database)

/** An act that goes by what it reads: it suspends a tenant that is not being deleted. */
async function suspend(actFor: (keep: string) => Act): Promise<string> {
  done++
  const tenant = await findTenant(directory(), 'acme')
  if (tenant?.status === 'deleting') throw new Error('It is being deleted.')
  await meanwhile()
  await changeStatus(directory(), 'acme', 'suspended', actFor('suspended'))
  return 'suspended'
}

async function ask(key?: string) {
  const app = newRouter()
  app.use(async (c, next) => {
    c.set('principal', { clientId: 'client_op', tenantId: null })
    await next()
  })
  app.post('/', async (c) => c.json(await once(c, 'a test', suspend)))
  app.onError((error, c) => c.json(error.message, 500))
  const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key }
  const response = await app.request('/', { method: 'POST', headers }, { DIRECTORY: memory.database })
  return [response.status, await response.json()]
}

describe('an act of an operator', () => {
  it('is done once where nothing comes between', async () => {
    meanwhile = async () => undefined

    expect(await ask('key')).toEqual([200, 'suspended'])
    expect(await ask('key')).toEqual([200, 'suspended'])
    expect(done).toBe(1)
  })

  it.each([undefined, 'key'])('between which another came goes by what that left (key: %s)', async (key) => {
    meanwhile = () => beginDeletion(directory(), 'acme', other)

    expect(await ask(key)).toEqual([500, 'It is being deleted.'])
    expect(done).toBe(2)
  })

  it('that fails by itself is not done again', async () => {
    meanwhile = () => Promise.reject(new Error('a fault'))

    expect(await ask()).toEqual([500, 'a fault'])
    expect(done).toBe(1)
  })
})
