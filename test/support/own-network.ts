/**
 * Lets Workers in the harness of wrangler reach the network by themselves, as they do everywhere else. The harness would have Node
 * fetch in their place, which follows redirects that a Worker does not want followed, and answers 500 for every connection that
 * fails. To be loaded before wrangler.
 */
import { createRequire } from 'node:module'

interface Options {
  readonly workers?: readonly Record<string, unknown>[]
}
type Convert = (options: Options) => unknown

const require = createRequire(createRequire(import.meta.url).resolve('wrangler'))
const path = require.resolve('miniflare')
const miniflare = require('miniflare') as { convertV4MiniflareOptions: Convert }

const withoutDetour = ({ workers = [], ...options }: Options): Options => ({
  ...options,
  workers: workers.map(({ outboundService: _, ...worker }) => worker),
})

const loaded = require.cache[path]
if (!loaded) throw new Error('What runs the Workers is not where it was expected.')
loaded.exports = {
  ...miniflare,
  convertV4MiniflareOptions: (options: Options) =>
    miniflare.convertV4MiniflareOptions(options.workers ? withoutDetour(options) : options),
}
