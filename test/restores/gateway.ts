/**
 * The gateway, whose ledgers have a history: of each point that a spec asks to keep. Production's platform keeps every moment of 30 days,
 * and the local one none; this stands in for it with copies of the tables, which an object finds in their place when it starts again.
 */
import gateway from '../../gateway/worker.ts'
import { TenantLedger as Ledger } from '../../ledger/tenant-ledger.ts'

interface Table {
  readonly name: string
  readonly rows: readonly SqlStorageValue[][]
}
interface Copy {
  readonly at: number
  readonly tables: readonly Table[]
}

/** By ledger. The isolate outlives its objects. */
const histories = new Map<string, Copy[]>()
/** What a ledger is to find when it starts again: the place in its history. */
const orders = new Map<string, number>()

const tablesOf = (sql: SqlStorage): string[] =>
  sql
    .exec<{ name: string }>(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like '\\_cf%' escape '\\'",
    )
    .toArray()
    .map(({ name }) => name)

function copyOf({ sql }: DurableObjectStorage): Copy {
  const tables = tablesOf(sql).map((name) => ({ name, rows: [...sql.exec(`select * from ${name}`).raw()] }))
  return { at: Date.now(), tables }
}

function putInPlace({ sql }: DurableObjectStorage, { tables }: Copy): void {
  for (const { name, rows } of tables) {
    sql.exec(`delete from ${name}`)
    for (const row of rows) sql.exec(`insert into ${name} values (${row.map(() => '?')})`, ...row)
  }
}

/** Gives the object's storage what production's has. */
function withHistory(storage: DurableObjectStorage, ledger: string): void {
  const history = histories.get(ledger) ?? []
  histories.set(ledger, history)
  const ordered = orders.get(ledger)
  const copy = ordered === undefined ? undefined : history[ordered]
  orders.delete(ledger)
  if (copy) storage.transactionSync(() => putInPlace(storage, copy))
  Object.defineProperties(storage, {
    getBookmarkForTime: {
      async value(at: number) {
        const place = history.findLastIndex((one) => one.at <= at)
        if (place < 0) throw new Error('There is no copy of then.')
        return String(place)
      },
    },
    onNextSessionRestoreBookmark: {
      async value(bookmark: string) {
        orders.set(ledger, Number(bookmark))
        return bookmark
      },
    },
  })
}

export class TenantLedger extends Ledger {
  readonly #keep: () => number

  constructor(state: DurableObjectState, env: GatewayEnv) {
    const ledger = state.id.name ?? ''
    withHistory(state.storage, ledger)
    super(state, env)
    this.#keep = () => {
      const copy = copyOf(state.storage)
      histories.get(ledger)?.push(copy)
      return copy.at
    }
  }

  /** A point that the ledger can be put back to: its time. */
  keepPoint(): number {
    return this.#keep()
  }
}

export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname !== '/keep-point') return gateway.fetch(request, env, ctx)
    const ledger = env.LEDGERS.getByName(searchParams.get('ledger') ?? '')
    return Response.json(await (ledger as unknown as Pick<TenantLedger, 'keepPoint'>).keepPoint())
  },
} satisfies ExportedHandler<GatewayEnv>
