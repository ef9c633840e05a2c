/** The gateway Worker: HTTP, and the host of the ledgers. */
import { tenantsApp } from './tenants-app.ts'

export { TenantLedger } from '../ledger/tenant-ledger.ts'

export default {
  async fetch(request, env, context) {
    if (!new URL(request.url).pathname.startsWith('/ops/')) return tenantsApp.fetch(request, env, context)
    // Most isolates are never asked by an operator, and all of them start: what half of the routes take is left out until then.
    const { operatorsApp } = await import('./operators-app.ts')
    return operatorsApp.fetch(request, env, context)
  },
} satisfies ExportedHandler<GatewayEnv>
