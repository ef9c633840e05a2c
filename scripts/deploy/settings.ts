/** Whether each Worker would take its variables: its own parser says so, before it is deployed. */
import { settingsOf as callbacksSettings } from '../../callbacks/settings.ts'
import { thresholdsOf } from '../../consumers/alerts/check.ts'
import { settingsOf as consumersSettings } from '../../consumers/settings.ts'
import { configOf } from '../../gateway/config.ts'
import { ledgerSettings } from '../../ledger/settings.ts'
import { localSecrets } from '../support/secrets.ts'
import type { WorkerName } from '../support/workers.ts'
import type { Deployment } from './deployment.ts'

const parsers: Record<WorkerName, readonly ((env: object) => unknown)[]> = {
  gateway: [configOf, ledgerSettings],
  consumers: [consumersSettings, thresholdsOf],
  callbacks: [callbacksSettings],
}

/** One sentence for each Worker that would not start, or not look after the service. */
export async function complaintsAboutSettings({ workers }: Deployment): Promise<string[]> {
  const secrets = await localSecrets()
  return asDeployed(() =>
    workers.flatMap(({ role, config, vars }) =>
      parsers[role].flatMap((parse) => {
        const fault = faultOf(() => parse({ ...secrets, ...vars }))
        return fault === null ? [] : [`${config}: ${fault}`]
      }),
    ),
  )
}

function faultOf(act: () => unknown): string | null {
  try {
    act()
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/** As wrangler's `define` makes it. */
function asDeployed<T>(act: () => T): T {
  const scope = globalThis as { LOCAL_RUN?: boolean }
  const before = scope.LOCAL_RUN
  scope.LOCAL_RUN = false
  try {
    return act()
  } finally {
    if (before === undefined) delete scope.LOCAL_RUN
    else scope.LOCAL_RUN = before
  }
}
