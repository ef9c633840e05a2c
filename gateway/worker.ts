/** The gateway Worker: HTTP, and the host of the ledgers. */
import { getPath } from 'hono/utils/url'
import { jobsApp } from './jobs-app.ts'

export { TenantLedger } from '../ledger/tenant-ledger.ts'

/**
 * The app that has the routes of a path, if there are any. A Worker starts with those of single jobs, which most requests are for, and a
 * ledger's needs none at all: the others are loaded when they are first asked for.
 */
async function appFor(path: string) {
  if (path.startsWith('/ops/')) return (await import('./operators-app.ts')).operatorsApp
  if (path.startsWith('/v1/') && !path.startsWith('/v1/jobs'))
    return (await import('./tenants-app.ts')).tenantsApp
  return jobsApp
}

export default {
  async fetch(request, env, context) {
    const app = await appFor(getPath(request))
    return app.fetch(request, env, context)
  },
} satisfies ExportedHandler<GatewayEnv>
