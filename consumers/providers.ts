/** The providers by name. A new one is one file in `providers/` and one row here. */
import type { ProviderName } from '../catalog/models.ts'
import type { Provider } from './provider.ts'
import { embedded } from './providers/embedded.ts'
import { openai } from './providers/openai.ts'
import { test } from './providers/test.ts'
import { workersAi } from './providers/workers-ai.ts'
import type { Settings } from './settings.ts'

type Providers = Partial<Record<ProviderName, Provider>>

let made: { env: object; providers: Providers } | undefined

/** Those that this deployment can call; made once for each isolate. */
export function providersFor(env: ConsumersEnv, settings: Settings): Providers {
  if (made?.env === env) return made.providers
  const providers = {
    embedded,
    test,
    ...(settings.openai && { openai: openai({ ...settings.openai, fetch, now: Date.now }) }),
    ...(env.AI && { 'workers-ai': workersAi(env.AI) }),
  }
  made = { env, providers }
  return providers
}
