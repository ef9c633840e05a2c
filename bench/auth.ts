/**
 * What the token costs: the gateway accepts jobs under a token that it has verified before, beside the same gateway with the check
 * taken out of its code, in one workerd process. And what a deployment starts with: size of the bundle, time of its start-up.
 */

import { acceptingLimits, gateway, requireNoneRan, takeThePlace } from './accepting/targets.ts'
import { withoutTokenCheck } from './authenticating/open-gateway.ts'
import { measureStartUp } from './authenticating/start-up.ts'
import type { Bench } from './support/bench.ts'
import { contest } from './support/contest.ts'
import { Caller, gatewaySpecs, newTenant, prepareDirectory } from './support/gateway.ts'
import { startWorkerd, type Workerd, type WorkerSpec } from './support/workerd.ts'

const OPEN = 'open'
const wanted = {
  cached_token_ratio: { bound: 'at least', value: 0.9 },
  bundle_gzip_kib: { bound: 'below', value: 300 },
  startup_ms: { bound: 'below', value: 100 },
} as const

export const run: Bench = async (tell) => {
  tell('Looking at the production bundle and its start-up …')
  const { gzipKib, activeMs } = measureStartUp()
  tell('Bundling and starting four Workers …')
  const workerd = await startWorkerd(
    withOpen(await gatewaySpecs({ RUN_TIMEOUT_SECONDS: '600', BATCH_GRACE_SECONDS: '900' })),
  )
  try {
    const { perSecond, ratio } = await measureAccepts(workerd, tell)
    return {
      figures: {
        cached_token_ratio: ratio('checked', 'open'),
        bundle_gzip_kib: gzipKib,
        startup_ms: activeMs,
        checked_accepts_per_second: perSecond.checked,
        open_accepts_per_second: perSecond.open,
      },
      wanted,
    }
  } finally {
    await workerd.stop()
  }
}

/** The same code and settings twice; names are kept in both, so that they differ in nothing else. */
const withOpen = (specs: WorkerSpec[]): WorkerSpec[] =>
  specs.flatMap((spec) =>
    spec.name === 'gateway'
      ? [
          { ...spec, change: (code) => code },
          { ...spec, name: OPEN, change: withoutTokenCheck },
        ]
      : [spec],
  )

async function measureAccepts(workerd: Workerd, tell: (line: string) => void) {
  const operator = await Caller.signIn(await workerd.urlOf('gateway'), await prepareDirectory(workerd))
  const tenant = await newTenant(operator, 'checked', acceptingLimits)
  const open = tenant.at(await workerd.urlOf(OPEN))
  await open.post('/ops/v1/tenants', { id: OPEN, limits: acceptingLimits, reason: 'benchmark' })
  for (const one of [tenant, open]) await takeThePlace(one)
  const result = await contest({ checked: gateway(tenant), open: gateway(open) }, tell)
  for (const one of [tenant, open]) await requireNoneRan(one)
  return result
}
