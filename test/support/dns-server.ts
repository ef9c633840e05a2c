/**
 * A stand-in for a resolver: DNS over HTTPS in the JSON form, on plain HTTP. The first label of a name, up to `--`, says what it
 * answers (`private--1.names.dev`); `nip.io` and `sslip.io` answer as in reality; all other names lead to a public address. What a
 * name answers can be changed (`become`), and what was asked is counted. No answer may be kept (TTL 0).
 */
import { createServer, type ServerResponse } from 'node:http'
import { onLoopback } from './loopback.ts'

const PUBLIC_V4 = '93.184.215.14'
const PUBLIC_V6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c'
const PRIVATE_V4 = '10.0.0.7'

const recordTypes = { A: 1, CNAME: 5, AAAA: 28 } as const
type Question = 'A' | 'AAAA'
type Answered = readonly (readonly [keyof typeof recordTypes, string])[]

/** What a name stands for; each question gets the records of its type, and the aliases. */
const zones: Record<string, Answered> = {
  public: [
    ['A', PUBLIC_V4],
    ['AAAA', PUBLIC_V6],
  ],
  'public-v6': [['AAAA', PUBLIC_V6]],
  private: [['A', PRIVATE_V4]],
  mixed: [
    ['A', PUBLIC_V4],
    ['A', PRIVATE_V4],
  ],
  'mixed-v6': [
    ['A', PUBLIC_V4],
    ['AAAA', '::1'],
  ],
  mapped: [['AAAA', '::ffff:127.0.0.1']],
  alias: [
    ['CNAME', 'Edge.Example.NET.'],
    ['A', PUBLIC_V4],
  ],
  'alias-private': [
    ['CNAME', 'kubernetes.default.svc.'],
    ['A', PUBLIC_V4],
  ],
  'alias-own': [
    ['CNAME', 'api.gateway.test.'],
    ['A', PUBLIC_V4],
  ],
  empty: [],
}

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'Content-Type': 'application/dns-json' }).end(JSON.stringify(body))

type Send = (response: ServerResponse, question: Question) => void
const withStatus = (Status: number) => (response: ServerResponse) => json(response, { Status, TC: false })

/** Whatever else a resolver may do. */
const faults: Record<string, Send> = {
  nxdomain: withStatus(3),
  servfail: withStatus(2),
  refused: withStatus(5),
  'servfail-v6': (response, question) =>
    question === 'A' ? json(response, messageOf(zones.public, question)) : withStatus(2)(response),
  truncated: (response, question) => json(response, { ...messageOf(zones.public, question), TC: true }),
  broken: (response) => json(response, { error: 'broken' }, 500),
  garbage: (response) => response.end('<html>Log in first</html>'),
  shapeless: (response) => json(response, { Status: 'fine' }),
  hangs: () => undefined,
}

export type Behaviour = string

export interface DnsServer {
  /** Value of `DNS_RESOLVER_URL`. */
  readonly url: string
  close(): void
}

interface State {
  readonly asked: Map<string, number>
  readonly behaviours: Map<string, Behaviour>
}

/** Starts it on a free port of this machine. `/asked?name=` and `/become?name=&behaviour=` are for the specs. */
export async function startDns(): Promise<DnsServer> {
  const state: State = { asked: new Map(), behaviours: new Map() }
  const server = createServer(({ url }, response) => serve(new URL(url ?? '', 'http://dns'), response, state))
  const { origin, close } = await onLoopback(server)
  return { url: `${origin}/dns-query`, close }
}

function serve({ pathname, searchParams }: URL, response: ServerResponse, state: State): void {
  const name = searchParams.get('name') ?? ''
  if (pathname === '/asked') return void json(response, state.asked.get(name) ?? 0)
  if (pathname === '/become') {
    state.behaviours.set(name, searchParams.get('behaviour') ?? '')
    return void json(response, null)
  }
  state.asked.set(name, (state.asked.get(name) ?? 0) + 1)
  const question = searchParams.get('type') === 'AAAA' ? 'AAAA' : 'A'
  const behaviour = state.behaviours.get(name) ?? name.split('--')[0] ?? ''
  const fault = faults[behaviour]
  if (fault) fault(response, question)
  else json(response, messageOf(embedded(name) ?? zones[behaviour], question))
}

/** `127.0.0.1.nip.io` and `127-0-0-1.sslip.io` lead to the address in them. */
function embedded(name: string): Answered | null {
  const [, address] = /(\d+[.-]\d+[.-]\d+[.-]\d+)\.(?:nip|sslip)\.io$/.exec(name) ?? []
  return address ? [['A', address.replaceAll('-', '.')]] : null
}

const messageOf = (records: Answered = zones.public ?? [], question: Question) => ({
  Status: 0,
  TC: false,
  RD: true,
  RA: true,
  Answer: records
    .filter(([type]) => type === question || type === 'CNAME')
    .map(([type, data]) => ({ name: 'asked', type: recordTypes[type], TTL: 0, data })),
})
