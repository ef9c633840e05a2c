import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { actOn } from './support/batches.ts'
import type { Answer, Client, RequestOptions } from './support/client.ts'
import { inDirectory, inLedger } from './support/control.ts'
import { describedPaths } from './support/described.ts'
import { type KeyedPost, operatorPosts, tenantPosts } from './support/keyed-posts.ts'
import { newTenant, operator, type Tenant } from './support/tenant.ts'

/** What takes no key: these change nothing, or are no part of `/v1`. The runtime of the specs has nothing to restore from. */
const without = ['estimateJob', 'estimateBatch', 'createToken', 'restoreTenant']

const operationsOf = (operators: boolean) =>
  describedPaths
    .filter(({ byOperators }) => byOperators === operators)
    .flatMap(({ operations }) => (operations.post ? [operations.post.operationId] : []))
    .filter((operationId) => !without.includes(operationId))

const tables = ['jobs', 'batches', 'files', 'webhook_endpoints', 'events', 'deliveries', 'idempotency_keys']
const counts = tables.map((table) => `(select count(*) from ${table}) as ${table}`)

/** What there is of the tenant. */
const rowsOf = ({ id }: Tenant) => inLedger(id, `select ${counts.join(', ')}`)

/** What operators did for this reason: each thing leaves a line. */
const actsOf = (reason: string) => inDirectory('select id, target from audit_log where reason = ?', reason)

const withoutSecrets = (body: object) => ({ ...body, secret: null, client_secret: null })
const secretsOf = ({ body }: Answer) => [body.secret ?? null, body.client_secret ?? null]

async function expectOnce(
  client: Client,
  { path, sent = {}, other }: KeyedPost,
  effects: () => Promise<unknown>,
) {
  const key = { 'Idempotency-Key': randomUUID() }
  const send = (to: string, { headers, ...rest }: RequestOptions) =>
    client.request('POST', to, { ...rest, headers: { ...headers, ...key } })

  const first = await send(path, sent)
  const before = await effects()
  const replay = await send(path, sent)
  const reused = await (other ? send(path, other) : send(`${path}?other=1`, sent))

  expect(first.status, JSON.stringify(first.body)).toBeLessThan(300)
  expect(first.headers.get('Idempotency-Replayed')).toBeNull()
  expect([replay.status, withoutSecrets(replay.body)]).toEqual([first.status, withoutSecrets(first.body)])
  expect(replay.headers.get('Idempotency-Replayed')).toBe('true')
  expect(replay.headers.get('Location')).toBe(first.headers.get('Location'))
  expect(secretsOf(replay)).toEqual([null, null])
  expect([reused.status, reused.body.type]).toEqual([
    422,
    'https://api.gateway.test/problems/idempotency-key-reused',
  ])
  expect(await effects()).toEqual(before)
  return first
}

describe.concurrent('a POST that is repeated under its key is done once, and answered as before;', () => {
  it.each(operationsOf(false))('another under that key is refused: %s', async (operationId) => {
    const acme = await newTenant()
    const post = await tenantPosts[operationId]?.(acme, '')
    if (!post) throw new Error(`support/keyed-posts.ts lacks ${operationId}.`)

    const { body } = await expectOnce(acme.client, post, () => rowsOf(acme))

    if (body.id?.startsWith('batch_')) await actOn(acme, body.id, 'cancel')
  })

  it.each(operationsOf(true))('another under that key is refused: %s of operators', async (operationId) => {
    const [acme, ops, reason] = [await newTenant(), await operator(), `repeated: ${randomUUID()}`]
    const post = await operatorPosts[operationId]?.(acme, reason)
    if (!post) throw new Error(`support/keyed-posts.ts lacks ${operationId}.`)

    await expectOnce(ops, post, () => actsOf(reason))

    expect(await actsOf(reason)).toHaveLength(1)
  })
})
