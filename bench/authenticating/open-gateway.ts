/** The gateway without its check of tokens: whatever bearer token comes, the caller is the same tenant, or the same operator. */

const grants = {
  tenants: { clientId: 'client_open', tenantId: 'open', scopes: ['jobs:read', 'jobs:write'] },
  operators: { clientId: 'client_open', tenantId: null, scopes: ['ops:read', 'ops:write'] },
}
const check = 'async function verifyToken('

/** Takes a bundle in which names are those of the source; throws for one that has the check not once. */
export function withoutTokenCheck(code: string): string {
  const [before, after, ...more] = code.split(check)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error('The check of tokens is not where it was looked for.')
  const open = `async function verifyToken(config, audience) { return ${JSON.stringify(grants)}[audience] }\n`
  return `${before}${open}async function verifyTokenNoMore(${after}`
}
