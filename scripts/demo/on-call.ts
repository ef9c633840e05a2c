/** What whoever is on call sees and does: the metrics, a pause of the intake, and the audit log. */
import { AuditEntryPage } from '../../openapi/audit-log.ts'
import { Intake } from '../../openapi/intake.ts'
import { OperatorUsageReport } from '../../openapi/operator-usage.ts'
import type { Gateway } from '../../sdk/src/index.ts'
import type { Api } from '../support/api.ts'
import { claim, claimStatus, eventually } from './claim.ts'
import { got, note, sent, step, why } from './narrator.ts'

/** Each with a text that is among its labels. */
const METRICS: readonly [name: string, label: string][] = [
  ['gateway_jobs_total', 'status="accepted"'],
  ['gateway_jobs_total', 'status="failed"'],
  ['gateway_job_retries_total', ''],
  ['gateway_dead_letters_open', ''],
]

/** The sum of a metric's samples, such as `name{label="…"} 3`; of those with this text among their labels. */
function sumOf(text: string, name: string, label = ''): number {
  const samples = text.split('\n').filter((line) => line.startsWith(name) && line.includes(label))
  return samples.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
}

export async function readMetrics(ops: Api, acme: Gateway): Promise<void> {
  step('What the service tells those who run it')
  sent('GET  /ops/v1/metrics')
  const { total } = await acme.account.usage({ group_by: 'model' })
  const text = await eventually('the metrics tell what usage tells', 30, async () => {
    const { body } = await ops('GET', '/ops/v1/metrics')
    const ended = ['succeeded', 'failed', 'cancelled'].map((status) =>
      sumOf(String(body), 'gateway_jobs_total', `status="${status}"`),
    )
    return ended.reduce((sum, jobs) => sum + jobs, 0) === total.jobs ? String(body) : null
  })
  got(`200  OpenMetrics, ${text.split('\n').filter((line) => line.startsWith('# TYPE')).length} families`)
  for (const [name, label] of METRICS) note(`${name}${label && `{${label}}`}: ${sumOf(text, name, label)}`)
  const { body } = await ops('GET', '/ops/v1/usage?group_by=tenant')
  const usage = OperatorUsageReport.parse(body)
  claim(usage.total.jobs === total.jobs, 'operators see the same usage as the customer')
  why('Made of snapshots that each ledger flushes; what was counted, is counted once, whatever came twice.')
}

/** `acme` sends nothing again by itself, as the SDK would. */
export async function pauseIntake(ops: Api, acme: Api): Promise<void> {
  step('Stopping the intake, and starting it again')
  const scope = { tenant_id: 'acme', kind: 'classify' }
  const pause = { ...scope, reason: 'Results are cut since the last deployment.' }
  sent(`POST /ops/v1/intake/pause    ${JSON.stringify(pause)}`)
  const paused = await ops('POST', '/ops/v1/intake/pause', { body: pause })
  claimStatus(paused, 200)
  got(`200  ${Intake.parse(paused.body).pauses.length} pause in force`)
  const body = {
    kind: 'classify',
    input: { text: 'Everyone has the right to rest.', labels: ['work', 'rest'] },
  }
  const submit = () => acme('POST', '/v1/jobs', { body, headers: { 'Idempotency-Key': 'on-call' } })
  const refused = await submit()
  claimStatus(refused, 503)
  const { title } = refused.body as Record<string, string>
  note(`A job of acme's meanwhile: 503  ${title} Retry-After: ${refused.headers.get('Retry-After')}`)
  const resume = { ...scope, reason: 'Mended.' }
  sent(`POST /ops/v1/intake/resume    ${JSON.stringify(resume)}`)
  claimStatus(await ops('POST', '/ops/v1/intake/resume', { body: resume }), 200)
  claimStatus(await submit(), 202)
  got("200  and the same request of acme's, under the same key: 202")
  why('As narrow as need be: a tenant, a kind, a model. What was accepted before is kept.')
}

export async function readAuditLog(ops: Api): Promise<void> {
  step('Who did what, and why')
  sent('GET  /ops/v1/audit_log?limit=3')
  const answer = await ops('GET', '/ops/v1/audit_log?limit=3')
  claimStatus(answer, 200)
  const { data } = AuditEntryPage.parse(answer.body)
  claim(data[0]?.action === 'intake.resume', 'the last change is the last line')
  for (const { created_at, action, target, reason } of data)
    got(`${created_at}  ${action}  ${target}  ${reason}`)
}
