/** What a token is good for. Whom it names as its issuer decides by whose keys and rules it is verified, and nothing else. */
import type { Context } from 'hono'
import { outOfReach } from '../ledgers.ts'
import { Problem } from '../problem.ts'
import type { GatewayContext } from '../router.ts'
import { surroundingsOf } from './issuers/surroundings.ts'
import { issuerNamed, verifyForeign } from './issuers/verify.ts'
import { type Audience, audienceOf, type Grant, verifyToken } from './token.ts'

/** Null for a token that is not valid, with no word on why. Only our own issuer makes operators. */
export async function grantOf(
  c: Context<GatewayContext>,
  audience: Audience,
  token: string,
): Promise<Grant | null> {
  const { config } = c.var
  const issuer = issuerNamed(token)
  if (issuer === config.baseUrl) return verifyToken(config, audience, token, Date.now())
  if (issuer === null || audience === 'operators') return null
  const grant = await verifyForeign(issuer, token, audienceOf(config, audience), surroundingsOf(c))
  if (grant === 'too many requests') throw tooManyStrangers()
  return grant === 'out of reach' ? outOfReach(undefined) : grant
}

const tooManyStrangers = () =>
  new Problem('rate-limited', {
    detail: 'Too many tokens of issuers that are not known here.',
    headers: { 'Retry-After': '60' },
  })
