/** The guard of a deployment, from its variables: one decision for every Worker that calls on behalf of a customer. */
import { z } from '@hono/zod-openapi'
import { type Guard, makeGuard } from './guard.ts'

/** To be spread into the schema of a Worker's variables. */
export const guardVariables = {
  PUBLIC_BASE_URL: z.url().refine((url) => !url.endsWith('/'), { error: 'Must not end with a slash.' }),
  ALLOW_LOOPBACK_WEBHOOKS: z.enum(['0', '1']),
}

const Variables = z.object(guardVariables)

export function guardOf(vars: z.output<typeof Variables>): Guard {
  const allowLoopback = LOCAL_RUN && vars.ALLOW_LOOPBACK_WEBHOOKS === '1'
  return makeGuard({ allowLoopback, ownHosts: [new URL(vars.PUBLIC_BASE_URL).hostname] })
}
