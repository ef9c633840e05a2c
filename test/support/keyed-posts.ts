/** Every POST that honours an Idempotency-Key: a request that works, and another one under the same key. */
import { randomUUID } from 'node:crypto'
import { alertPath, operatorsListen } from './alerts.ts'
import { createClient } from './api-clients.ts'
import { embedBatch, endedBatch, submittedBatch } from './batches.ts'
import type { RequestOptions } from './client.ts'
import { changed, failedIn } from './dead-letters.ts'
import { deliveriesReached } from './deliveries.ts'
import { classifyEvaluation } from './evaluations.ts'
import { newReceiver } from './receiver.ts'
import { summarizeJob, type Tenant } from './tenant.ts'

export interface KeyedPost {
  readonly path: string
  /** What is sent. */
  readonly sent?: RequestOptions
  /** What is another request, where it can be one by its body: else another query makes it one. */
  readonly other?: RequestOptions
}

type Prepare = (acme: Tenant, reason: string) => KeyedPost | Promise<KeyedPost>

const held = summarizeJob({ model: 'test/hangs' })
const stuck = (more: object = {}) => embedBatch(1, { model: 'test/batch-stuck', ...more })
const bodies = (path: string, json: object, other: object): KeyedPost => ({
  path,
  sent: { json },
  other: { json: { ...json, ...other } },
})
const file = (raw: string): RequestOptions => ({ raw, headers: { 'Content-Type': 'text/plain' } })
const HOUR_MS = 3_600_000

const listening = async (acme: Tenant) =>
  `/v1/webhook_endpoints/${(await acme.listens(await newReceiver(), ['job.accepted'])).id}`
const openBatch = async (acme: Tenant) => `/v1/batches/${(await submittedBatch(acme, stuck())).id}`

async function overBatch(acme: Tenant) {
  const { id } = await submittedBatch(acme, embedBatch(1))
  await endedBatch(acme, id)
  return `/v1/batches/${id}`
}

/** By `operationId`. */
export const tenantPosts: Readonly<Record<string, Prepare>> = {
  createJob: () => bodies('/v1/jobs', held, { priority: 'low' }),
  cancelJob: async (acme) => ({ path: `/v1/jobs/${(await acme.submitted(held)).id}/cancel` }),
  createBatch: () => bodies('/v1/batches', stuck(), { on_deadline: 'run_individually' }),
  cancelBatch: async (acme) => ({ path: `${await openBatch(acme)}/cancel` }),
  rerunBatch: async (acme) => {
    const order = { mode: 'recompute_all', model: 'test/batch-stuck' }
    return bodies(`${await overBatch(acme)}/rerun`, order, { processing_version: '2' })
  },
  discardBatch: async (acme) => ({ path: `${await overBatch(acme)}/discard` }),
  createFile: () => ({ path: '/v1/files', sent: file('A.'), other: file('B.') }),
  createWebhookEndpoint: () =>
    bodies('/v1/webhook_endpoints', { url: 'https://hooks.acme.com/ai' }, { ordered: true }),
  rotateWebhookEndpointSecret: async (acme) =>
    bodies(`${await listening(acme)}/rotate_secret`, {}, { overlap_seconds: 60 }),
  testWebhookEndpoint: async (acme) => ({ path: `${await listening(acme)}/test` }),
  enableWebhookEndpoint: async (acme) => bodies(`${await listening(acme)}/enable`, {}, { send_held: false }),
  replayWebhookEndpoint: async (acme) => {
    const since = new Date(Date.now() - HOUR_MS).toISOString()
    return bodies(`${await listening(acme)}/replay`, { since }, { only_failed: true })
  },
  retryDelivery: async (acme) => {
    await listening(acme)
    await acme.submitted(held)
    const [delivery] = await deliveriesReached(acme, 'delivered', 1)
    return { path: `/v1/deliveries/${delivery?.id}/retry` }
  },
}

const another = { reason: 'another reason' }
/** A model that nothing is done with in the specs. */
const ODD = 'test%2Fbatch-duplicates'
const client = async (acme: Tenant) => (await createClient(acme)).client_id

/** A dead letter whose job would stand still if it were redriven. */
async function deadLetter(acme: Tenant): Promise<string> {
  const { jobId, dead } = await failedIn(acme)
  await changed(acme, jobId, "model = 'test/hangs'")
  return `/ops/v1/dead_letters/${dead.id}`
}

const decision =
  (verb: string): Prepare =>
  async (acme, reason) =>
    bodies(`/ops${await openBatch(acme)}/${verb}`, { reason }, another)

const alertEndpoint =
  (verb: string): Prepare =>
  async (_, reason) =>
    bodies(alertPath((await operatorsListen(await newReceiver())).id, verb), { reason }, another)

/** The same for operators' POSTs, each of which says its reason. */
export const operatorPosts: Readonly<Record<string, Prepare>> = {
  createTenant: (_, reason) => bodies('/ops/v1/tenants', { id: `t-${randomUUID()}`, reason }, another),
  resealTenant: ({ id }, reason) => bodies(`/ops/v1/tenants/${id}/reseal`, { reason }, another),
  suspendTenant: ({ id }, reason) => bodies(`/ops/v1/tenants/${id}/suspend`, { reason }, another),
  resumeTenant: ({ id }, reason) => bodies(`/ops/v1/tenants/${id}/resume`, { reason }, another),
  releaseTenant: ({ id }, reason) => bodies(`/ops/v1/tenants/${id}/release`, { reason }, another),
  pauseIntake: ({ id }, reason) => bodies('/ops/v1/intake/pause', { tenant_id: id, reason }, another),
  resumeIntake: ({ id }, reason) => bodies('/ops/v1/intake/resume', { tenant_id: id, reason }, another),
  enableModel: (_, reason) => bodies(`/ops/v1/models/${ODD}/enable`, { reason }, another),
  disableModel: (_, reason) => bodies(`/ops/v1/models/${ODD}/disable`, { reason }, another),
  deleteTenant: ({ id }, reason) => bodies(`/ops/v1/tenants/${id}/delete`, { reason }, another),
  createClient: ({ id }, reason) =>
    bodies(`/ops/v1/tenants/${id}/clients`, { name: 'spec', reason }, another),
  createIssuer: ({ id }, reason) => {
    const issuer = `http://127.0.0.1:9/${randomUUID()}`
    return bodies(`/ops/v1/tenants/${id}/issuers`, { issuer, scopes: ['jobs:read'], reason }, another)
  },
  rotateTenantClient: async (acme, reason) =>
    bodies(`/ops/v1/tenants/${acme.id}/clients/${await client(acme)}/rotate`, { reason }, another),
  rotateClient: async (acme, reason) =>
    bodies(`/ops/v1/clients/${await client(acme)}/rotate`, { reason }, another),
  disableTenantClient: async (acme, reason) =>
    bodies(`/ops/v1/tenants/${acme.id}/clients/${await client(acme)}/disable`, { reason }, another),
  disableClient: async (acme, reason) =>
    bodies(`/ops/v1/clients/${await client(acme)}/disable`, { reason }, another),
  resolveDeadLetter: async (acme, reason) => bodies(`${await deadLetter(acme)}/resolve`, { reason }, another),
  redriveDeadLetter: async (acme, reason) => bodies(`${await deadLetter(acme)}/redrive`, { reason }, another),
  redriveDeadLetters: async (acme, reason) => {
    await deadLetter(acme)
    return bodies('/ops/v1/dead_letters/redrive', { tenant_id: acme.id, reason }, another)
  },
  createAlertEndpoint: (_, reason) =>
    bodies('/ops/v1/alert_endpoints', { url: 'https://hooks.acme.com/ai', reason }, another),
  rotateAlertEndpointSecret: alertEndpoint('rotate_secret'),
  testAlertEndpoint: alertEndpoint('test'),
  enableAlertEndpoint: alertEndpoint('enable'),
  deleteAlertEndpoint: alertEndpoint('delete'),
  resealAlertEndpoints: (_, reason) => bodies('/ops/v1/alert_endpoints/reseal', { reason }, another),
  createModelEvaluation: (_, reason) =>
    bodies('/ops/v1/model_evaluations', classifyEvaluation('test/limited', { reason }), another),
  waitForBatch: decision('wait'),
  cancelBatch: decision('cancel'),
  runBatchIndividually: decision('run_individually'),
}
