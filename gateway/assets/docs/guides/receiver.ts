// receiver.ts
import { createServer } from 'node:http'

const TOLERANCE_SECONDS = 5 * 60
const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

/** A secret (`whsec_…`) checks `v1` signatures, a public key (`whpk_…`) checks `v1a`. Throws on anything else. */
async function importKey(text: string) {
  const [, prefix, base64 = ''] = /^(whsec|whpk)_([A-Za-z0-9+/]{32,88}=*)$/.exec(text) ?? []
  if (!base64)
    throw new Error('A key is whsec_… or whpk_…, as the API answered it, with nothing before or after.')
  const algorithm = prefix === 'whsec' ? { name: 'HMAC', hash: 'SHA-256' } : { name: 'Ed25519' }
  const key = await crypto.subtle.importKey('raw', bytesOf(base64), algorithm, false, ['verify'])
  return { version: prefix === 'whsec' ? 'v1' : 'v1a', key }
}
type Key = Awaited<ReturnType<typeof importKey>>
type Headers = Record<string, string | string[] | undefined>

/** `headers` with lower-case names; `body` as it came. WebCrypto's `verify` compares in constant time. */
async function isGenuine(headers: Headers, body: Uint8Array, keys: Key[], nowSeconds = Date.now() / 1000) {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(
    (name) => headers[`webhook-${name}`],
  )
  if (!id || !timestamp || typeof signatures !== 'string') return false
  if (!(Math.abs(nowSeconds - Number(timestamp)) <= TOLERANCE_SECONDS)) return false
  const signed = new Uint8Array([...new TextEncoder().encode(`${id}.${timestamp}.`), ...body])
  for (const signature of signatures.split(' '))
    for (const key of keys) if (await holds(signature, key, signed).catch(() => false)) return true
  return false
}

async function holds(signature: string, { version, key }: Key, signed: Uint8Array<ArrayBuffer>) {
  const [given, base64 = ''] = signature.split(',')
  return given === version && crypto.subtle.verify(key.algorithm.name, key, bytesOf(base64), signed)
}

const keys = await Promise.all((process.env.WEBHOOK_KEYS ?? '').split(' ').map(importKey))
/** Stands for a table with a unique column for the ID, or for a queue that drops duplicates. */
const inbox = new Map<string, { text: string; done: boolean }>()

createServer(async (request, response) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const body = Buffer.concat(parts)
  if (!(await isGenuine(request.headers, body, keys)))
    return response.writeHead(401).end('No signature holds.')

  const id = String(request.headers['webhook-id'])
  if (!inbox.has(id)) inbox.set(id, { text: body.toString(), done: false })
  response.writeHead(204).end() // stored: answer now, work later
  await workOff(id)
}).listen(Number(process.env.PORT ?? 3000), '127.0.0.1')

async function workOff(id: string) {
  const entry = inbox.get(id)
  if (!entry || entry.done) return
  const { type, data } = JSON.parse(entry.text)
  console.log(id, type, data.id) // your work, which may be begun a second time after a crash
  entry.done = true
}
