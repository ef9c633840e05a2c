/** What the Workers' production settings mean for the bill. */
import { join } from 'node:path'
import { unstable_readConfig } from 'wrangler'

const configs = ['wrangler.toml', 'consumers/wrangler.toml', 'callbacks/wrangler.toml']

/** Whether the platform writes a line of its own for each call, besides those of ours. */
export const logsCalls = (): boolean =>
  configs.some((name) => {
    const config = join(import.meta.dirname, '../..', name)
    const { observability } = unstable_readConfig({ config, env: 'production' })
    return observability?.enabled === true && observability.logs?.invocation_logs !== false
  })
