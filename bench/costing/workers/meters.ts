/**
 * Counts what the platform would bill, where a Worker uses it: the bindings themselves are changed, once for an isolate, so that what
 * runs is the product as it is.
 */
import type { Unit } from '../prices.ts'
import { ahead, realNow } from './clock.ts'

/** What is counted one by one; CPU, storage and the time that objects are active are made of other things. */
export type Counted = Exclude<
  Unit,
  'worker_cpu_ms' | 'object_gb_seconds' | 'object_storage_gb_months' | 'r2_storage_gb_months'
>

const counts = new Map<string, number>()
/** How long calls took for whoever made them, in ms, by what was called. */
const times = new Map<string, number[]>()

export const count = (unit: Counted, more = 1) => counts.set(unit, (counts.get(unit) ?? 0) + more)

async function timed<T>(what: string, call: Promise<T>): Promise<T> {
  const startedAt = realNow()
  try {
    return await call
  } finally {
    const known = times.get(what) ?? []
    known.push(realNow() - startedAt)
    times.set(what, known)
  }
}

export interface Reading {
  readonly counts: Partial<Record<Counted, number>>
  readonly times: Record<string, number[]>
}

export function reading(): Reading {
  countRows()
  return { counts: Object.fromEntries(counts), times: Object.fromEntries(times) }
}

type Method = (...args: unknown[]) => unknown

const replaced = new WeakSet<object>()

/** Puts other methods into the place of those that all objects like this one share; once. */
function replace(object: object, methods: Record<string, (original: Method) => Method>): void {
  const shared = Object.getPrototypeOf(object) as Record<string, Method>
  if (replaced.has(shared)) return
  replaced.add(shared)
  for (const [name, change] of Object.entries(methods)) shared[name] = change(shared[name] as Method)
}

const CHUNK_BYTES = 64_000

/** A message is billed by chunks, each time that it is written, read or deleted. */
export const chunksOf = (body: unknown) => Math.ceil(JSON.stringify(body).length / CHUNK_BYTES)

export function meterQueue(queue: object): void {
  replace(queue, {
    sendBatch: (original) =>
      function (this: unknown, ...args) {
        const messages = [...(args[0] as Iterable<{ body: unknown }>)]
        count(
          'queue_operations',
          messages.reduce((sum, { body }) => sum + chunksOf(body), 0),
        )
        return timed('sendBatch', original.call(this, messages, ...args.slice(1)) as Promise<unknown>)
      },
    send: () => () => {
      throw new Error('Messages that are sent one by one are not counted.')
    },
  })
}

const classA = ['put', 'list', 'createMultipartUpload']
const classB = ['get', 'head']

export function meterBucket(bucket: object): void {
  const counting =
    (unit: Counted) =>
    (original: Method): Method =>
      function (this: unknown, ...args) {
        count(unit)
        return original.apply(this, args)
      }
  replace(bucket, {
    ...Object.fromEntries(classA.map((name) => [name, counting('r2_class_a')])),
    ...Object.fromEntries(classB.map((name) => [name, counting('r2_class_b')])),
  })
}

/** Every answer of a database tells what it took; the methods that keep that to themselves are made of one that does not. */
export function meterDatabase(database: D1Database): void {
  replace(database.prepare('select 1'), {
    run: noting,
    all: noting,
    raw: () =>
      async function (this: unknown) {
        const { results } = await (this as D1PreparedStatement).all<object>()
        return results.map(Object.values)
      },
    first: () => () => {
      throw new Error('What reads a first row alone is not counted.')
    },
  })
  replace(database, { batch: noting })
}

const noting = (original: Method): Method =>
  async function (this: unknown, ...args) {
    const answer = await timed('d1', original.apply(this, args) as Promise<D1Result | D1Result[]>)
    for (const { meta } of [answer].flat()) {
      count('d1_rows_read', meta.rows_read)
      count('d1_rows_written', meta.rows_written)
    }
    return answer
  }

/** Calls of its objects. `named` is what they are called in the times. */
export function meterNamespace(namespace: object, named: string): void {
  replace(namespace, {
    getByName: (original) =>
      function (this: unknown, ...args) {
        return metered(original.apply(this, args) as object, named)
      },
  })
}

/** What the benchmark itself asks of objects. */
const uncounted = new Set(['look', 'clockPutForward'])

const metered = (stub: object, named: string) =>
  new Proxy(stub, {
    get(target, method) {
      const original = (target as Record<string | symbol, unknown>)[method]
      if (typeof method === 'symbol' || typeof original !== 'function') return original
      return (...args: unknown[]) => {
        if (uncounted.has(method)) return (target as Record<string, Method>)[method]?.(...args)
        count('object_requests')
        return timed(
          `${named}.${method}`,
          (target as Record<string, Method>)[method]?.(...args) as Promise<unknown>,
        )
      }
    },
  })

let exec: Method | null = null

/** A look into an object's tables, which is not counted. */
export const lookInto = <T>(sql: SqlStorage, query: string) =>
  (exec?.call(sql, query) as { toArray(): T[] } | undefined)?.toArray() ?? []

let cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = []

/** A cursor knows what it has read when it has been read. */
function countRows(): void {
  for (const { rowsRead, rowsWritten } of cursors) {
    count('object_rows_read', rowsRead)
    count('object_rows_written', rowsWritten)
  }
  cursors = []
}

/** Of an object: its rows, and its alarm, which is set by the machine's clock. */
export function meterStorage(storage: DurableObjectStorage): void {
  replace(storage.sql, {
    exec: (original) => {
      exec = original
      return function (this: unknown, ...args) {
        countRows()
        const cursor = original.apply(this, args)
        cursors.push(cursor as (typeof cursors)[number])
        return cursor
      }
    },
  })
  replace(storage, {
    setAlarm: (original) =>
      function (this: unknown, at) {
        count('object_alarms_set')
        return original.call(this, Number(at) - ahead())
      },
    getAlarm: (original) =>
      async function (this: unknown) {
        const at = (await original.call(this)) as number | null
        return at === null ? null : at + ahead()
      },
  })
}

export function meterLog(): void {
  for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    const original = console[name].bind(console)
    console[name] = (...args: unknown[]) => {
      count('log_events')
      original(...args)
    }
  }
}
