/** The three Workers, in the order in which they are deployed: the first hosts the ledgers that the others bind. */
import { join } from 'node:path'

export const projectRoot = join(import.meta.dirname, '../..')

/** Where each Worker's configuration lies. */
export const workerConfigs = {
  gateway: 'wrangler.toml',
  consumers: 'consumers/wrangler.toml',
  callbacks: 'callbacks/wrangler.toml',
} as const

export type WorkerName = keyof typeof workerConfigs
export const workerNames = Object.keys(workerConfigs) as WorkerName[]
