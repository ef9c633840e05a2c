/**
 * Zod as the Workers bundle it (`[alias]` in their wrangler.toml): without its fifty languages and what else nothing here uses, which
 * are a quarter of a bundle and of the time it takes to start. No bundler can tell by itself, since `@hono/zod-openapi` takes all
 * of it in hand. Types and tests go by the package.
 */
import * as z from './names.ts'

export * from './names.ts'
export { z, z as default }
