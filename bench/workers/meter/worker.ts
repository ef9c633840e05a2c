/** Asks a ledger what it has cost, which no customer and no operator can. */
import type { LedgerStub } from '../../../ledger/call.ts'

interface Env {
  LEDGERS: { getByName(name: string): LedgerStub }
}

export default {
  async fetch(request, env) {
    const ledger = decodeURIComponent(new URL(request.url).pathname.slice(1))
    return Response.json(await env.LEDGERS.getByName(ledger).costs())
  },
} satisfies ExportedHandler<Env>
