/** What an exchange takes of the platform: what calls the receivers, and the time. */
import { connect } from 'cloudflare:sockets'
import type { ExchangeParts } from './exchange.ts'
import type { Presence } from './outcome.ts'

const LOOK_MS = 1000
const defaultPorts: Record<string, number> = { 'http:': 80, 'https:': 443 }

/** Opens a connection and closes it, which tells a receiver that is not there from one that fails. */
async function look({ hostname, port, protocol }: URL): Promise<Presence> {
  const socket = connect({ hostname, port: Number(port) || (defaultPorts[protocol] ?? 0) })
  socket.closed.catch(() => undefined)
  const seen = socket.opened.then(
    (): Presence => 'present',
    (): Presence => 'absent',
  )
  const late = new Promise<Presence>((resolve) => setTimeout(resolve, LOOK_MS, 'unknown'))
  const presence = await Promise.race([seen, late])
  socket.close().catch(() => undefined)
  return presence
}

/** In production the platform says by its statuses what `look` finds out, so that it is the local run's alone. */
export const outside: ExchangeParts = {
  fetch: (...args: Parameters<typeof fetch>) => fetch(...args),
  now: Date.now,
  ...(LOCAL_RUN ? { look } : {}),
}
