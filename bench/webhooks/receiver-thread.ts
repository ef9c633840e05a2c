/**
 * The customers' receivers, in a thread of their own, so that neither the load nor the verification keeps a webhook waiting. The
 * first part of a path says how it answers; everything that came is kept, to be verified when nothing is measured any more.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'
import { monotonicMs } from '../support/clock.ts'
import type { Behaviour, Command, Counts, Received } from './receivers.ts'

const received: Received[] = []
const counts: Counts = { quick: 0, gated: 0, hanging: 0 }
const waiting: Record<Exclude<Behaviour, 'quick'>, ServerResponse[]> = { gated: [], hanging: [] }
let gateIsOpen = false

/** Less than the 15 s after which an attempt is given up: on a slow machine a few are answered early, and none fails. */
const GATED_AT_MOST_MS = 12_000

const accept = (response: ServerResponse) => response.writeHead(204).end()

function acceptLater(response: ServerResponse): void {
  const timer = setTimeout(accept, GATED_AT_MOST_MS, response)
  waiting.gated.push(response.on('finish', () => clearTimeout(timer)))
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const at = monotonicMs()
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const path = request.url ?? ''
  const behaviour = path.split('/')[1] as Behaviour
  counts[behaviour]++
  if (behaviour === 'hanging') return void waiting.hanging.push(response)
  if (behaviour === 'quick' || gateIsOpen) accept(response)
  else acceptLater(response)
  const { headers } = request
  received.push({
    path,
    at,
    id: String(headers['webhook-id']),
    timestamp: String(headers['webhook-timestamp']),
    signature: String(headers['webhook-signature']),
    text: Buffer.concat(parts).toString(),
  })
}

const server = createServer((request, response) => {
  receive(request, response).catch((error: unknown) => console.error(`A receiver failed: ${String(error)}`))
})

const commands: Record<Command, () => unknown> = {
  counts: () => counts,
  take: () => received.splice(0),
  openGate() {
    gateIsOpen = true
    for (const response of waiting.gated.splice(0)) if (!response.writableEnded) accept(response)
  },
  closeGate() {
    gateIsOpen = false
  },
  cutHanging() {
    for (const response of waiting.hanging.splice(0)) response.destroy()
  },
}

server.listen(0, '127.0.0.1', () => {
  parentPort?.postMessage((server.address() as AddressInfo).port)
  parentPort?.on('message', (command: Command) => parentPort?.postMessage(commands[command]()))
})
