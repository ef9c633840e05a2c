/** The guard of a deployment, from its variables: one decision for every Worker that calls on behalf of a customer. */
import { z } from '@hono/zod-openapi'
import { BoundedCache } from '../bounded-cache.ts'
import { isLoopback, portOf } from './destination.ts'
import { type LookedUp, makeResolver, type Resolver, type ResolverParts } from './dns.ts'
import { type Guard, makeGuard } from './guard.ts'
import { bareName } from './host-name.ts'

/** Names with commas between; an empty text is none. */
const Hosts = z
  .string()
  .default('')
  .transform((text) => (text === '' ? [] : text.split(',').map((name) => bareName(name.trim()))))
  .pipe(z.array(z.string().regex(/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/)))

/** Whose answers decide is asked over https: anyone on the way could open any door. */
function isTrusted(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  return url?.protocol === 'https:' || (LOCAL_RUN && url?.protocol === 'http:' && isLoopback(url))
}

/** To be spread into the schema of a Worker's variables. */
export const guardVariables = {
  PUBLIC_BASE_URL: z.url().refine((url) => !url.endsWith('/'), { error: 'Must not end with a slash.' }),
  ALLOW_LOOPBACK_WEBHOOKS: z.enum(['0', '1']),
  /** Names of ours besides the base URL's: whole zones, where they are ours alone. */
  OWN_HOSTS: Hosts,
  /** DNS over HTTPS, in the JSON form. Only the local run can do without. */
  DNS_RESOLVER_URL: z
    .string()
    .default('')
    .refine((text) => (text === '' ? LOCAL_RUN : isTrusted(text))),
}

const Variables = z.object(guardVariables)
type Variables = z.output<typeof Variables>

const NAMES_KEPT = 1000

/** For the isolate's life: what a name stands for is the same for all tenants. */
const cache = new BoundedCache<LookedUp>(NAMES_KEPT)
const isolate = { fetch: (...args: Parameters<typeof fetch>) => fetch(...args), now: Date.now }

export function guardOf(vars: Variables, parts: Pick<ResolverParts, 'fetch' | 'now'> = isolate): Guard {
  const own = new URL(vars.PUBLIC_BASE_URL)
  const rules = {
    allowLoopback: LOCAL_RUN && vars.ALLOW_LOOPBACK_WEBHOOKS === '1',
    ownHosts: [bareName(own.hostname), ...vars.OWN_HOSTS],
    ownPorts: isLoopback(own) ? [portOf(own)] : [],
  }
  return makeGuard(rules, resolverOf(vars, parts))
}

const resolverOf = (
  { DNS_RESOLVER_URL: url }: Variables,
  parts: Pick<ResolverParts, 'fetch' | 'now'>,
): Resolver | null => (url === '' ? null : makeResolver({ ...parts, url, cache }))
