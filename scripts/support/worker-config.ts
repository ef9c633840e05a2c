/** A Worker's configuration for one environment, as wrangler reads it: of all that it holds, what runs and deployments are made of. */
import { join } from 'node:path'
import { z } from '@hono/zod-openapi'
import { unstable_readConfig } from 'wrangler'
import { RunError } from './claims.ts'
import { projectRoot } from './workers.ts'

const list = <T extends z.ZodType>(item: T) => z.array(item).default([])

const WorkerConfig = z.object({
  name: z.string(),
  definedEnvironments: list(z.string()),
  vars: z.record(z.string(), z.string()),
  secrets: z.object({ required: list(z.string()) }).prefault({}),
  queues: z.object({
    producers: list(z.object({ queue: z.string() })),
    consumers: list(z.object({ queue: z.string(), dead_letter_queue: z.string().nullable().default(null) })),
  }),
  d1_databases: list(z.object({ database_name: z.string() })),
  r2_buckets: list(z.object({ bucket_name: z.string() })),
  workflows: list(z.object({ name: z.string() })),
  analytics_engine_datasets: list(z.object({ binding: z.string(), dataset: z.string().optional() })),
  ratelimits: list(z.object({ namespace_id: z.string() })),
  durable_objects: z.object({ bindings: list(z.object({ script_name: z.string().optional() })) }),
  ai: z.object({ binding: z.string() }).optional(),
  triggers: z.object({ crons: list(z.string()) }).prefault({}),
})

/** `path` from the project's root; the environment '' is the local run. Throws if the configuration does not have it, or makes no sense. */
export function readWorkerConfig(path: string, env: string): z.infer<typeof WorkerConfig> {
  const parsed = WorkerConfig.safeParse(readAsWrangler(path, env))
  if (parsed.success) return parsed.data
  throw new RunError(`${path}, ${env || 'local run'}:\n${z.prettifyError(parsed.error)}`)
}

function readAsWrangler(path: string, env: string): unknown {
  try {
    return unstable_readConfig({ config: join(projectRoot, path), env }, { hideWarnings: true })
  } catch (error) {
    const { message, location } = error as Error & { location?: { line: number } }
    throw new RunError(`${path}${location ? `:${location.line}` : ''}: ${message}`, { cause: error })
  }
}
