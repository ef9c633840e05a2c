/** The providers by name. A new one is one file in `providers/` and one row here. */
import type { Model } from '../catalog/models.ts'
import type { Provider } from './provider.ts'
import { embedded } from './providers/embedded.ts'
import { test } from './providers/test.ts'

export const providers: Record<Model['provider'], Provider> = { embedded, test }
