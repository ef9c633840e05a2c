/** The gateway and its ledgers, counted. */
import './clock.ts'
import gateway from '../../../gateway/worker.ts'
import { TenantLedger as Ledger } from '../../../ledger/tenant-ledger.ts'
import { CONTROL, controlled } from './control.ts'
import {
  count,
  lookInto,
  meterBucket,
  meterDatabase,
  meterLog,
  meterNamespace,
  meterQueue,
  meterStorage,
} from './meters.ts'

meterLog()

const kept = ['jobs', 'batches', 'events', 'deliveries', 'idempotency_keys'] as const

/** What a ledger holds, and when it wakes next by its clock. */
export interface Look {
  readonly alarmAt: number | null
  readonly rows: Record<(typeof kept)[number], number>
  readonly withContent: number
}

export class TenantLedger extends Ledger {
  readonly #storage: DurableObjectStorage

  constructor(state: DurableObjectState, env: GatewayEnv) {
    meterStorage(state.storage)
    meterEnv(env)
    super(state, env)
    this.#storage = state.storage
  }

  override async alarm(): Promise<void> {
    count('object_requests')
    await super.alarm()
  }

  /** The clock was put forward by so much: the alarm is due earlier. It was paid for when it was set. */
  async clockPutForward(ms: number): Promise<null> {
    const at = await this.#storage.getAlarm()
    if (at === null) return null
    await this.#storage.setAlarm(at - ms)
    count('object_alarms_set', -1)
    return null
  }

  async look(): Promise<Look> {
    const rowsOf = (table: string) => this.#count(`select count(*) as n from ${table}`)
    return {
      alarmAt: await this.#storage.getAlarm(),
      rows: Object.fromEntries(kept.map((table) => [table, rowsOf(table)])) as Look['rows'],
      withContent: this.#count('select count(*) as n from jobs where content_deleted_at is null'),
    }
  }

  #count = (query: string) => lookInto<{ n: number }>(this.#storage.sql, query)[0]?.n ?? 0
}

function meterEnv(env: GatewayEnv): void {
  for (const queue of [env.JOBS, env.BATCHES, env.CALLBACKS]) meterQueue(queue)
  meterBucket(env.CONTENT)
  meterDatabase(env.DIRECTORY)
}

/** Of the ledger that the request names. */
async function ofLedger(url: URL, env: GatewayEnv): Promise<Response | null> {
  const named = url.searchParams.get('ledger')
  if (named === null) return null
  const ledger = env.LEDGERS.getByName(named) as unknown as Pick<TenantLedger, 'look' | 'clockPutForward'>
  const ms = url.searchParams.get('ms')
  return Response.json(await (ms === null ? ledger.look() : ledger.clockPutForward(Number(ms))))
}

export default {
  async fetch(request, env, ctx) {
    const url = new URL(request.url)
    if (url.pathname === `${CONTROL}ledger`) return (await ofLedger(url, env)) ?? Response.error()
    const answer = controlled(request)
    if (answer) return answer
    meterEnv(env)
    meterNamespace(env.LEDGERS, 'ledger')
    count('worker_requests')
    return gateway.fetch(request, env, ctx)
  },
} satisfies ExportedHandler<GatewayEnv>
