/** What a request gives to those who look up and read other issuers. */
import type { Context } from 'hono'
import { openDirectory } from '../../../ledger/directory/open.ts'
import type { GatewayContext } from '../../router.ts'
import type { Surroundings } from './trusted.ts'

export const surroundingsOf = (c: Context<GatewayContext>): Surroundings => ({
  directory: openDirectory(c.env.DIRECTORY),
  guard: c.var.config.guard,
  fetch: (...args) => fetch(...args),
  now: Date.now,
  wait: (ms) => scheduler.wait(ms),
  finish: (work) => c.executionCtx.waitUntil(work),
  mayLookUp: async () => (await c.env.TOKEN_LIMITER.limit({ key: keyOf(c) })).success,
})

const keyOf = (c: Context<GatewayContext>) => `issuer:${c.req.header('CF-Connecting-IP') ?? 'unknown'}`
