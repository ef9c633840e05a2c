/** Whether a URL may be called, asked when it is stored and again before every attempt. */
import { isGlobal } from './addresses.ts'
import { checkDestination, type DestinationRules } from './destination.ts'
import type { LookedUp, Resolver } from './dns.ts'
import { faultOfName } from './host-name.ts'

/** `passing`: the refusal is for now, since nobody can say; else it holds until the URL, or what its name stands for, changes. */
export type Verdict = { ok: true; url: URL } | { ok: false; why: string; passing: boolean }

export type Guard = (url: string) => Promise<Verdict>

/** Without a resolver, which only the local run can do without, a name is taken for what it says. */
export const makeGuard =
  (rules: DestinationRules, resolve: Resolver | null): Guard =>
  async (url) => {
    const destination = checkDestination(url, rules)
    if (!destination.ok) return refuse(destination.why)
    if (destination.loopback || !resolve) return { ok: true, url: destination.url }
    return judge(await resolve(destination.url.hostname), rules) ?? { ok: true, url: destination.url }
  }

/** One bad answer refuses a name for good, whatever else it stands for: the caller may be given any of them. */
function judge({ addresses, aliases, complete }: LookedUp, { ownHosts }: DestinationRules): Verdict | null {
  if (!addresses.every(isGlobal)) return refuse('The host leads to an address that is not public.')
  if (aliases.some((alias) => faultOfName(alias, ownHosts) !== null))
    return refuse('The host is another name for one that is not allowed.')
  if (!complete) return { ok: false, why: 'The host cannot be looked up for now.', passing: true }
  return addresses.length === 0 ? refuse('The host has no address.') : null
}

const refuse = (why: string): Verdict => ({ ok: false, why, passing: false })
