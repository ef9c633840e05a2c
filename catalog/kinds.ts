/** The registry of kinds. */
import type { Kind, KindName } from './kind.ts'
import { classify } from './kinds/classify.ts'
import { embed } from './kinds/embed.ts'
import { report } from './kinds/report.ts'
import { summarize } from './kinds/summarize.ts'
import { transcribe } from './kinds/transcribe.ts'

export const kinds = { summarize, embed, classify, report, transcribe } satisfies Record<KindName, Kind>

export const kindOf = (name: KindName): Kind => kinds[name]
