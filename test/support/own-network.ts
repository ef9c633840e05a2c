/**
 * Lets Workers in the harness of wrangler reach the network, and be reached from there, by themselves. The harness would have Node
 * fetch in their place, which follows redirects that a Worker does not want followed, and answers 500 for every connection that
 * fails; and it would put a proxy in front of the first Worker, which takes longer than the Worker. To be loaded before wrangler.
 */
import { createRequire } from 'node:module'

interface Options {
  readonly workers?: readonly Record<string, unknown>[]
}
type Convert = (options: Options) => unknown

const require = createRequire(createRequire(import.meta.url).resolve('wrangler'))
const path = require.resolve('miniflare')
const miniflare = require('miniflare') as { convertV4MiniflareOptions: Convert }

/** Ports of this machine that lead straight to a Worker, by its name; to be filled in before the harness starts. */
export const doors = new Map<unknown, number>()

const doorOf = (port: number | undefined) =>
  port === undefined ? {} : { unsafeDirectSockets: [{ host: '127.0.0.1', port }] }

const withoutDetours = ({ workers = [], ...options }: Options): Options => ({
  ...options,
  workers: workers.map(({ outboundService: _, ...worker }) => ({
    ...worker,
    ...doorOf(doors.get(worker.name)),
  })),
})

const loaded = require.cache[path]
if (!loaded) throw new Error('What runs the Workers is not where it was expected.')
loaded.exports = {
  ...miniflare,
  convertV4MiniflareOptions: (options: Options) =>
    miniflare.convertV4MiniflareOptions(options.workers ? withoutDetours(options) : options),
}
