/** Registering an issuer: what it may be called, that nobody has it yet, and its keys, read before the first token comes. */
import type { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { addIssuer, findIssuerNamed, type IssuerRow } from '../../ledger/directory/issuers.ts'
import { openDirectory } from '../../ledger/directory/open.ts'
import type { Act } from '../../ledger/directory/operations.ts'
import { mintId, randomBytes } from '../../ledger/ids.ts'
import type { Issuer, IssuerRequest } from '../../openapi/issuers.ts'
import { readPublishedKeys } from '../auth/issuers/discover.ts'
import { surroundingsOf } from '../auth/issuers/surroundings.ts'
import { afterFailure, afterReading } from '../auth/issuers/timing.ts'
import { audienceOf } from '../auth/token.ts'
import { checkedUrl, refusedUrl } from '../guarded-url.ts'
import type { GatewayContext } from '../router.ts'
import { issuerView } from '../views/issuer.ts'

const issuerUrl = { pointer: '/issuer', detail: 'This issuer cannot be registered.' }

/** Throws the problem for a URL that may not be called, or is spelt as no issuer spells it. Our own is among them: it leads to us. */
async function checkIssuer(c: Context<GatewayContext>, issuer: string): Promise<void> {
  const href = await checkedUrl(c, issuer, issuerUrl)
  if (/[?#]/.test(issuer)) throw refusedUrl(issuerUrl, 'An issuer has neither query nor fragment.')
  if (href !== issuer && href !== `${issuer}/`)
    throw refusedUrl(issuerUrl, 'The URL is not in its normal form.')
}

type Asked = Omit<z.infer<typeof IssuerRequest>, 'reason'>
type View = z.infer<typeof Issuer>

export async function register(
  c: Context<GatewayContext>,
  tenantId: string,
  asked: Asked,
  actFor: (keep: View) => Act,
): Promise<View> {
  const directory = openDirectory(c.env.DIRECTORY)
  await checkIssuer(c, asked.issuer)
  if (await findIssuerNamed(directory, asked.issuer)) throw taken()
  const row = await newRow(c, tenantId, asked)
  const view = issuerView(row, audienceOf(c.var.config, 'tenants'))
  await addIssuer(directory, row, actFor(view))
  return view
}

const taken = () => refusedUrl(issuerUrl, 'It is registered already, for this tenant or another.')

async function newRow(c: Context<GatewayContext>, tenantId: string, asked: Asked): Promise<IssuerRow> {
  const published = await readPublishedKeys(asked.issuer, surroundingsOf(c))
  const now = Date.now()
  const reading = published.ok ? afterReading('due', now) : afterFailure(0, published.error, now)
  return {
    id: mintId('iss', 0, now, randomBytes),
    tenantId,
    issuer: asked.issuer,
    audience: asked.audience ?? null,
    scopes: [...new Set(asked.scopes)],
    createdAt: now,
    keys: published.ok ? published.keys : [],
    keysReadAt: null,
    ...reading,
  }
}
