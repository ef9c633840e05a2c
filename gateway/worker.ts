/** The gateway Worker: HTTP, and the host of the ledgers. */
import { app } from './app.ts'

export { TenantLedger } from '../ledger/tenant-ledger.ts'

export default { fetch: app.fetch } satisfies ExportedHandler<GatewayEnv>
