/**
 * What a name stands for, by DNS over HTTPS in its JSON form. (A Worker has no other resolver, and its `fetch` cannot be held to an
 * address, so between this look-up and the call the answer may still change: a short window, not a closed door.)
 */
import { z } from '@hono/zod-openapi'
import type { BoundedCache } from '../bounded-cache.ts'
import { errorName, log } from '../log.ts'
import { isGlobal } from './addresses.ts'
import { bareName } from './host-name.ts'

export const LOOK_UP_MS = 3000
/** An answer holds as long as its shortest record, within these bounds; the lower one is for a name without any address. */
export const LONGEST_MS = 300_000
export const WITHOUT_ADDRESS_MS = 10_000

/** What is known of a name. */
export interface LookedUp {
  /** IPv4 and IPv6 together. */
  readonly addresses: readonly string[]
  /** Names that it is an alias of, in lower case. */
  readonly aliases: readonly string[]
  /** False where a question has no answer for now: there may be more than is known. */
  readonly complete: boolean
}

export type Resolver = (name: string) => Promise<LookedUp>

export interface ResolverParts {
  /** Takes `name` and `type` in its query, besides what that holds already. */
  readonly url: string
  readonly fetch: typeof fetch
  /** Milliseconds. */
  readonly now: () => number
  readonly cache: BoundedCache<LookedUp>
}

/** Asks for IPv4 and for IPv6. Never throws: a resolver that fails leaves the answer incomplete, and that is not kept. */
export const makeResolver =
  (parts: ResolverParts): Resolver =>
  async (name) => {
    const key = `${parts.url} ${name}`
    const known = parts.cache.get(key, parts.now())
    if (known) return known
    const answers = await Promise.all([ask('A', name, parts), ask('AAAA', name, parts)])
    const lookedUp = together(answers)
    if (lookedUp.complete) parts.cache.put(key, lookedUp, parts.now() + lifetimeMs(answers, lookedUp))
    return lookedUp
  }

interface Answer extends Omit<LookedUp, 'complete'> {
  readonly ttlSeconds: number
}

const together = (answers: readonly (Answer | null)[]): LookedUp => ({
  addresses: answers.flatMap((answer) => answer?.addresses ?? []),
  aliases: answers.flatMap((answer) => answer?.aliases ?? []),
  complete: !answers.includes(null),
})

function lifetimeMs(answers: readonly (Answer | null)[], { addresses }: LookedUp): number {
  if (addresses.length === 0) return WITHOUT_ADDRESS_MS
  return Math.min(LONGEST_MS, ...answers.map((answer) => (answer?.ttlSeconds ?? 0) * 1000))
}

/** Null for no answer, which is a fault of the resolver, told to the log: never the name, which is a customer's. */
async function ask(type: 'A' | 'AAAA', name: string, { url, fetch }: ResolverParts): Promise<Answer | null> {
  const question = new URL(url)
  question.searchParams.set('name', name)
  question.searchParams.set('type', type)
  try {
    const response = await fetch(question, {
      headers: { Accept: 'application/dns-json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(LOOK_UP_MS),
    })
    return answerOf(await bodyOf(response))
  } catch (error) {
    log('dns.failed', { type, error: errorName(error) })
    return null
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  if (response.ok) return response.json()
  await response.body?.cancel()
  throw fault(`Http${response.status}`)
}

/** Codes of RFC 1035: a name that does not exist is an answer, all other failures are none. */
const NO_ERROR = 0
const NO_SUCH_NAME = 3
/** Record types of RFC 1035 and RFC 3596. */
const [A, CNAME, AAAA] = [1, 5, 28]

const Message = z.object({
  Status: z.int(),
  /** Truncated: there is more than the answer tells. */
  TC: z.boolean().default(false),
  Answer: z
    .array(z.object({ type: z.int(), TTL: z.number().nonnegative().default(0), data: z.string() }))
    .default([]),
})

function answerOf(body: unknown): Answer {
  const { Status, TC, Answer: records } = Message.parse(body)
  if (TC) throw fault('Truncated')
  if (Status !== NO_ERROR && Status !== NO_SUCH_NAME) throw fault(`Status${Status}`)
  const ofType = (...types: number[]) =>
    records.filter(({ type }) => types.includes(type)).map(({ data }) => data)
  const addresses = ofType(A, AAAA)
  if (addresses.some((address) => isGlobal(address) === null)) throw fault('NoAddress')
  const ttlSeconds = Math.min(...records.map(({ TTL }) => TTL))
  return { addresses, aliases: ofType(CNAME).map(bareName), ttlSeconds }
}

/** Told apart by name, which is all that the log takes of an exception. */
const fault = (what: string) => Object.assign(new Error(), { name: `Resolver${what}` })
