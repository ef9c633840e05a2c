/**
 * Calls of `scheduled` of the Workers of a local run, from beside it. Over HTTP wrangler leads them to the first Worker only, so this is a
 * session of its own, with a binding to each Worker that it finds in the run's registry, as sessions of wrangler find one another.
 */
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import type { CallOnSchedule } from './schedules.ts'

interface Scheduled {
  scheduled(event: { cron: string; scheduledTime: Date }): Promise<{ outcome: string }>
}

const session = {
  name: 'clock',
  modules: true,
  script: 'export default {}',
  compatibilityDate: '2026-11-01',
} as const

export interface ScheduledCalls {
  readonly call: CallOnSchedule
  close(): Promise<void>
}

/** `registry` is where the Workers of these names are registered. */
export async function openScheduledCalls(
  registry: string,
  workers: readonly string[],
): Promise<ScheduledCalls> {
  const serviceBindings = Object.fromEntries(workers.map((worker) => [worker, worker]))
  const options = { unsafeDevRegistryPath: registry, workers: [{ ...session, serviceBindings }] }
  const miniflare = new Miniflare(convertV4MiniflareOptions(options))
  const bindings = await miniflare.getBindings<Record<string, Scheduled>>()
  return {
    async call({ worker, cron }, scheduledTime) {
      const result = await bindings[worker]?.scheduled({ cron, scheduledTime })
      return result?.outcome ?? `${worker} is not bound`
    },
    close: () => miniflare.dispose(),
  }
}
