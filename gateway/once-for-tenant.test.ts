import { beforeEach, describe, expect, it } from 'vitest'
import type { LedgerStub } from '../ledger/call.ts'
import type { LedgerContext } from '../ledger/context.ts'
import { abandonCall, beginCall, finishCall } from '../ledger/held-keys.ts'
import type { Call } from '../ledger/idempotency.ts'
import { done, type Reply } from '../ledger/replies.ts'
import { memoryStore } from '../ledger/sqlite.fixture.ts'
import type { LedgerCall } from './ledgers.ts'
import { onceForTenant } from './once-for-tenant.ts'
import { newRouter } from './router.ts'

const rate = { limit: 1, remaining: 1, resetSeconds: 1 }
let work: () => Promise<string>
let app: ReturnType<typeof newRouter>

/** The tenant's ledger, as far as it is about keys. */
function newLedger(): LedgerCall {
  const ctx = { db: memoryStore(), now: 1_800_000_000_000 } as LedgerContext
  const stub = {
    beginTest: async (call: Call) => ({ ...beginCall(ctx, call, () => done(null)), rate }),
    finishCall: async (call: Call, answer: string) => ({ ...done(finishCall(ctx, call, answer)), rate }),
    abandonCall: async (call: Call) => ({ ...done(abandonCall(ctx, call)), rate }),
  } as unknown as LedgerStub
  return async <T>(ask: (ledger: LedgerStub) => Promise<Reply<T>>) => {
    const reply = await ask(stub)
    if (!reply.ok) throw new Error(reply.refusal.code)
    return reply.value
  }
}

beforeEach(() => {
  const ledger = newLedger()
  app = newRouter()
  app.use(async (c, next) => {
    c.set('principal', { clientId: 'client', tenantId: 'acme' })
    c.set('ledger', ledger)
    await next()
  })
  app.post('/', async (c) => {
    const answer = await onceForTenant(
      c,
      (stub, call) => stub.beginTest(call, 'we_a'),
      () => work(),
    )
    return c.json(answer)
  })
  app.onError((error, c) => c.json(error.message, 500))
})

async function ask(key: string | null = 'key') {
  const headers: Record<string, string> = key === null ? {} : { 'Idempotency-Key': key }
  const response = await app.request('/', { method: 'POST', headers })
  return [response.status, await response.json(), response.headers.get('Idempotency-Replayed')]
}

describe('work under a key', () => {
  it('is done once, and answered alike after that', async () => {
    work = async () => 'first'
    expect(await ask()).toEqual([200, 'first', null])
    work = async () => 'second'

    expect(await ask()).toEqual([200, 'first', 'true'])
    expect(await ask('another')).toEqual([200, 'second', null])
  })

  it('that breaks off leaves the key free', async () => {
    work = () => Promise.reject(new Error('broken'))
    expect(await ask()).toEqual([500, 'broken', null])
    work = async () => 'second'

    expect(await ask()).toEqual([200, 'second', null])
  })

  it('is waited for by a repetition', async () => {
    const [started, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()]
    work = () => {
      started.resolve()
      return ended.promise
    }
    const first = ask()
    await started.promise

    expect(await ask()).toEqual([500, 'idempotency-in-progress', null])
    ended.resolve('first')
    expect(await first).toEqual([200, 'first', null])
  })
})

describe('work without a key', () => {
  it('is done each time', async () => {
    work = async () => 'first'
    await ask(null)
    work = async () => 'second'

    expect(await ask(null)).toEqual([200, 'second', null])
  })
})
