/** Servers of our own, on a free port of this machine. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface OnLoopback {
  /** Such as `http://127.0.0.1:4711`. */
  readonly origin: string
  /** With all of its connections. */
  close(): void
}

/** Resolves once it listens. */
export async function onLoopback(server: Server): Promise<OnLoopback> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { origin: `http://127.0.0.1:${port}`, close }
}
