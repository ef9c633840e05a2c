/** A request as it goes over the wire, and its answer. */
import { type Agent, request } from 'node:http'

export interface Wire {
  /** What was done to a valid request, in words. */
  readonly story: readonly string[]
  readonly operation: string
  readonly method: string
  readonly target: string
  /** In order; a name may come twice. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array | null
  /** How the body is sent: whole with its length, in chunks without, or broken off in the middle. */
  readonly framing: 'length' | 'chunked' | 'cut'
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** `closed`: the connection ended without an answer, which only a request that was broken off may be met with. */
export type Outcome = { kind: 'answer'; answer: Answer; ms: number } | { kind: 'closed' } | { kind: 'hang' }

/** Longer than anything that may be waited for by `Prefer`. */
const HANG_MS = 60_000
const CUT_AFTER_MS = 30

export function send(url: URL, wire: Wire, agent: Agent): Promise<Outcome> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const headers = [...wire.headers.flat(), 'Host', url.host, ...framingOf(wire)]
    const { hostname: host, port } = url
    const outgoing = request({ host, port, agent, method: wire.method, path: wire.target, headers })
    const timer = setTimeout(() => {
      resolve({ kind: 'hang' })
      outgoing.destroy()
    }, HANG_MS)
    const end = (outcome: Outcome) => {
      clearTimeout(timer)
      resolve(outcome)
    }
    outgoing.on('error', () => end({ kind: 'closed' }))
    outgoing.on('response', async (response) => {
      const parts: Buffer[] = []
      try {
        for await (const part of response) parts.push(part as Buffer)
        const { statusCode: status = 0, headers } = response
        const answer = { status, headers, text: Buffer.concat(parts).toString() }
        end({ kind: 'answer', answer, ms: performance.now() - startedAt })
      } catch {
        end({ kind: 'closed' })
      }
    })
    write(outgoing, wire)
  })
}

function framingOf({ body, framing }: Wire): string[] {
  if (body === null) return []
  return framing === 'chunked'
    ? ['Transfer-Encoding', 'chunked']
    : ['Content-Length', String(body.byteLength)]
}

function write(outgoing: ReturnType<typeof request>, { body, framing }: Wire): void {
  if (framing !== 'cut' || body === null) {
    outgoing.end(body ?? undefined)
    return
  }
  outgoing.write(body.subarray(0, body.byteLength >> 1))
  setTimeout(() => outgoing.destroy(), CUT_AFTER_MS)
}

const SHOWN = 2000
const TOKEN_SHOWN = 40

/** The request in a form that can be read, and sent again by hand. */
export function shown({ story, operation, method, target, headers, body, framing }: Wire): string {
  const lines = headers.map(
    ([name, value]) => `${name}: ${value.slice(0, name === 'Authorization' ? TOKEN_SHOWN : SHOWN)}`,
  )
  const text = body ? Buffer.from(body.subarray(0, SHOWN)).toString() : ''
  const what = story.length > 0 ? story.join(', ') : 'as described'
  return [
    `# ${operation}, ${what}, ${framing}`,
    `${method} ${target.slice(0, SHOWN)}`,
    ...lines,
    '',
    text,
  ].join('\n')
}
