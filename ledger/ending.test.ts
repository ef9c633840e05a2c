import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { memoryDirectory } from './directory/directory.fixture.ts'
import { type Directory, openDirectory } from './directory/open.ts'
import { addTenant, findTenant } from './directory/operations.ts'
import { formerTenants } from './directory/schema.ts'
import { beginDeletion, newcomer } from './directory/tenant-changes.ts'
import { Ending, type EndingParts } from './ending.ts'
import { memoryStorage } from './sqlite.fixture.ts'

const NOW = 1_800_000_000_000
const GRACE_MS = 60_000
const QUIET_MS = 600_000
const act = { operator: 'client_op', reason: 'a test', at: NOW, kept: null }

const said: string[] = []
let database: D1Database
let directory: Directory
let content: Set<string>
/** What the object has beside its memory; each life of it reads the note anew. */
let storage: ReturnType<typeof newStorage>
let tables: boolean
let failing: boolean

beforeEach(async () => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line))
  said.length = 0
  ;({ database } = memoryDirectory())
  directory = openDirectory(database)
  await addTenant(directory, newcomer('acme', {}, NOW), act)
  content = new Set(['t/acme/in/1/a', 't/acme/out/job_1/1', 't/acme2/in/1/a'])
  storage = newStorage()
  tables = true
  failing = false
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function newStorage() {
  const memory = memoryStorage()
  const kv = memory.kv as DurableObjectStorage['kv'] & { clear: () => void }
  const deleteAll = vi.fn(async () => {
    kv.clear()
    tables = false
  })
  return { kv, deleteAll, setAlarm: vi.fn(async () => undefined), sync: async () => undefined }
}

const bucket = {
  async list({ prefix = '' }: { prefix?: string } = {}) {
    if (failing) throw new Error('away')
    return {
      objects: [...content].filter((key) => key.startsWith(prefix)).map((key) => ({ key })),
      truncated: false,
    }
  },
  async delete(keys: string | string[]) {
    for (const key of [keys].flat()) content.delete(key)
  },
} as unknown as EndingParts['bucket']

/** The object starts: it knows what is stored, and nothing else. */
function awake() {
  const abort = vi.fn()
  const ending = new Ending({
    ledger: 'acme:1:0',
    storage: storage as unknown as EndingParts['storage'],
    bucket,
    database,
    times: { graceMs: GRACE_MS, quietMs: QUIET_MS },
    hasTables: () => tables,
    lastSnapshot: () => null,
    abort,
    newName: () => 'deleted:x',
  })
  return { ending, abort }
}

const settled = async () => {
  for (let turn = 0; turn < 100; turn++) await Promise.resolve()
}

/** The alarm fires so long after the beginning, in a fresh object. */
async function alarm(afterMs: number) {
  vi.setSystemTime(NOW + afterMs)
  const { ending, abort } = awake()
  ending.advance(NOW + afterMs)
  await settled()
  return { ending, abort }
}

async function begun() {
  await beginDeletion(directory, 'acme', act)
  awake().ending.begin(NOW)
}

const tenant = () => findTenant(directory, 'acme')

describe('the end of a ledger', () => {
  it('has not begun by itself, and writes nothing', async () => {
    const { ending } = awake()

    expect([ending.hasBegun, ending.nextAt(NOW)]).toEqual([false, null])
    expect(storage.kv.get('ending')).toBeUndefined()
  })

  it('waits for what is out, and is not put off by being told again', async () => {
    await begun()
    const { ending } = awake()

    ending.begin(NOW + 1000)
    ending.advance(NOW + GRACE_MS - 1)
    await settled()

    expect(ending.nextAt(NOW)).toBe(NOW + GRACE_MS)
    expect([content.size, tables]).toEqual([3, true])
  })

  it('deletes content and tables, and keeps the ID until nobody can write any more', async () => {
    await begun()

    const { abort } = await alarm(GRACE_MS)

    expect([...content]).toEqual(['t/acme2/in/1/a'])
    expect([tables, abort.mock.calls.length]).toEqual([false, 1])
    expect(storage.setAlarm).toHaveBeenCalledWith(NOW + QUIET_MS)
    expect(awake().ending.nextAt(NOW)).toBe(NOW + QUIET_MS)
    expect(await tenant()).toMatchObject({ status: 'deleting' })
  })

  it('looks into R2 once more before it lets go, and leaves nothing', async () => {
    await begun()
    await alarm(GRACE_MS)
    content.add('t/acme/out/job_late/1')

    const { ending, abort } = await alarm(QUIET_MS)

    expect([...content]).toEqual(['t/acme2/in/1/a'])
    expect(await tenant()).toBeUndefined()
    expect(await directory.select().from(formerTenants)).toMatchObject([{ id: 'acme', generation: 1 }])
    expect(storage.kv.get('ending')).toBeUndefined()
    expect([ending.nextAt(NOW + QUIET_MS), abort.mock.calls.length]).toEqual([null, 1])
  })

  it.each([GRACE_MS, QUIET_MS])(
    'tries again after a pause what failed %i ms after its beginning',
    async (at) => {
      await begun()
      if (at === QUIET_MS) await alarm(GRACE_MS)
      content.add('t/acme/in/2/b')
      failing = true

      const { ending, abort } = await alarm(at)
      const pausedUntil = ending.nextAt(NOW + at)
      failing = false
      ending.advance(NOW + at + 1)
      await settled()
      expect([abort.mock.calls.length, content.has('t/acme/in/2/b')]).toEqual([0, true])
      ending.advance(pausedUntil ?? 0)
      await settled()

      expect(pausedUntil).toBeGreaterThan(NOW + at)
      expect(abort).toHaveBeenCalledTimes(1)
      expect([...content]).toEqual(['t/acme2/in/1/a'])
    },
  )

  it('is called off where the directory says that the tenant lives', async () => {
    awake().ending.begin(NOW)

    const { abort } = await alarm(GRACE_MS)

    expect([content.size, tables, abort.mock.calls.length]).toEqual([3, true, 1])
    expect(awake().ending.hasBegun).toBe(false)
  })

  it('leaves what has another generation by now alone', async () => {
    await begun()
    await alarm(GRACE_MS)
    await alarm(QUIET_MS)
    await addTenant(directory, newcomer('acme', {}, NOW), act)
    content.add('t/acme/in/3/new')
    await beginDeletion(directory, 'acme', act)

    awake().ending.begin(NOW)
    await alarm(GRACE_MS)

    expect(content.has('t/acme/in/3/new')).toBe(true)
    expect(await tenant()).toMatchObject({ generation: 2 })
    expect(awake().ending.hasBegun).toBe(false)
  })
})
