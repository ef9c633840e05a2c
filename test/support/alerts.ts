/** Alerts as specs speak of them. The service under test is everybody's, so each is about a model that only one spec knows. */
import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { ModelCounts } from '../../ledger/alerts/reading.ts'
import { figuresOf, workOf } from '../../ledger/directory/figures.fixture.ts'
import { OPERATORS } from '../../ledger/operators.ts'
import type { Alert, AlertEventData } from '../../openapi/alerts.ts'
import type { Answer, Body } from './client.ts'
import { inDirectory, inLedger, ledgerOf, tick } from './control.ts'
import type { Received, Receiver } from './receiver.ts'
import { expectStatus, operator } from './tenant.ts'
import { until } from './wait.ts'

export const alertPath = (id = '', verb = '') =>
  `/ops/v1/alert_endpoints${id && `/${id}`}${verb && `/${verb}`}`

/** Whatever the answer. An endpoint that was created goes with the spec. */
export async function createAlertEndpoint(body: object): Promise<Answer> {
  const ops = await operator()
  const answer = await ops.post(alertPath(), { reason: 'a spec', ...body })
  if (answer.status === 201)
    onTestFinished(
      async () => void (await ops.post(alertPath(answer.body.id, 'delete'), { reason: 'its end' })),
    )
  return answer
}

/** An endpoint of operators, with its secret, that delivers to the receiver. */
export const operatorsListen = async ({ url }: Pick<Receiver, 'url'>, more: object = {}): Promise<Body> =>
  (await expectStatus(201, createAlertEndpoint({ url, ...more }))).body

/**
 * A model in the snapshot of a ledger that is none, which a provider has refused to run so often; `pass` is as if that were longer ago
 * than an alert looks back. What was counted stays, as it does in the service: others look at sums that never fall.
 */
export async function refusedModel(times: number): Promise<{ model: string; pass: () => Promise<unknown> }> {
  // What has come is told by a comparison, so there has to be something to compare with.
  await tick()
  const [ledger, model] = [ledgerOf(`t-${randomUUID()}`), `spec/${randomUUID()}`]
  const work = workOf({ model, failed: times, failures: { permission_denied: times } })
  const figures = figuresOf({ work: [work] })
  const insert =
    'insert into roll_ups (ledger, revision, open_jobs, updated_at, figures) values (?, 1, 0, ?, ?)'
  await inDirectory(insert, ledger, Date.now(), JSON.stringify(figures))
  const pass = () => wereThereBefore(model, { ended: times, expired: 0, failed: 0, refused: times })
  onTestFinished(async () => void (await pass()))
  return { model, pass }
}

/** Into all that checks have kept of before, to compare with. */
const wereThereBefore = (model: string, counts: ModelCounts) =>
  inLedger(
    OPERATORS,
    `update meta set value = (
      select json_group_array(json_set(sample.value, ?, json(?))) from json_each(meta.value) as sample
    ) where name = 'alertSamples'`,
    `$.counters.models."${model}"`,
    JSON.stringify(counts),
  )

/** As if so many minutes had passed since a moment that the alert of a model remembers. */
export const minutesAgo = (model: string, moment: 'absent_since' | 'told_at', minutes: number) =>
  inLedger(
    OPERATORS,
    `update alerts set ${moment} = ${moment} - ? where subject = ? and condition = 'provider_refusals'`,
    minutes * 60_000,
    model,
  )

export interface AlertEvent {
  readonly type: string
  readonly data: AlertEventData
}

/** Events about the refusals of a model that the receiver got so far. */
export const toldOf = (receiver: Receiver, model: string): (Received & { event: AlertEvent })[] =>
  (receiver.received as unknown as (Received & { event: AlertEvent })[]).filter(
    ({ event: { data } }) => data.subject === model && data.condition === 'provider_refusals',
  )

/** These, once there are so many. */
export const toldTimes = (receiver: Receiver, model: string, count: number) =>
  until(`${count} alerts of ${model}`, () => {
    const told = toldOf(receiver, model)
    return told.length >= count && told
  })

/** The alerts about the refusals of a model that operators read. */
export async function alertsOf(model: string, status: 'open' | 'resolved'): Promise<Alert[]> {
  const ops = await operator()
  const { body } = await expectStatus(200, ops.get(`/ops/v1/alerts?status=${status}&limit=100`))
  const alerts = body.data as unknown as Alert[]
  return alerts.filter(({ condition, subject }) => subject === model && condition === 'provider_refusals')
}
