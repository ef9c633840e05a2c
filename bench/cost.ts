/**
 * What a million small jobs cost, with two webhooks each and their deletion, and a million items of batches: what the platform bills,
 * counted in a run of the three Workers, times its public prices (`costing/prices.ts`). Counts are exact, whatever the machine does
 * besides. CPU time is that of the whole local runtime, with the queues and databases that production does not bill it for; the time that
 * objects are active is made of medians, and calls that overlapped count one after the other. So both are more than what is billed.
 * Inference, and what the plan includes, are left out.
 */
import { batchItems } from './costing/items.ts'
import { busyJobs, lonelyJobs } from './costing/jobs.ts'
import type { Counts } from './costing/prices.ts'
import { logsCalls } from './costing/production.ts'
import { Rig } from './costing/rig.ts'
import { sheetOf, shown, sum, totalOf } from './costing/sheet.ts'
import { TICKS_EACH } from './costing/times.ts'
import type { Bench } from './support/bench.ts'

const JOBS = 400
const LONELY_JOBS = 60
const ITEMS = 10_000
const TICKS = 10

const wanted = {
  usd_per_million_jobs: { bound: 'below', value: 30 },
  usd_per_million_items: { bound: 'below', value: 1 },
} as const

export const run: Bench = (tell) => {
  if (logsCalls()) throw new Error('Production logs every call as well, which is not among what is counted.')
  tell('Bundling and starting three Workers …')
  return Rig.with(async (rig) => {
    tell(`Running ${ITEMS} items of a batch, and deleting them …`)
    const items = await batchItems(rig, ITEMS)
    tell(`Running ${JOBS} jobs, and deleting them …`)
    const busy = await busyJobs(rig, JOBS)
    tell(`Running ${LONELY_JOBS} jobs, each of them alone …`)
    const lonely = await lonelyJobs(rig, LONELY_JOBS, busy)
    const tick = await rig.measure(() => ticks(rig))
    const clock = { counts: tick.counts, times: TICKS_EACH / TICKS }
    const sheets = {
      job: sheetOf(sum([{ counts: busy, times: 1 }, clock])),
      'job that is alone': sheetOf(sum([{ counts: lonely, times: 1 }, clock])),
      item: sheetOf(sum([{ counts: items, times: 1 }, clock])),
    }
    for (const [title, lines] of Object.entries(sheets)) tell(`\n${shown(title, lines)}`)
    return {
      figures: {
        usd_per_million_jobs: totalOf(sheets.job),
        usd_per_million_jobs_alone: totalOf(sheets['job that is alone']),
        usd_per_million_items: totalOf(sheets.item),
        ...figuresOf('job', busy),
        ...figuresOf('job_alone', lonely),
        ...figuresOf('item', items),
      },
      wanted,
    }
  })
}

async function ticks(rig: Rig): Promise<void> {
  for (let left = TICKS; left > 0; left--) await rig.tick()
}

const figuresOf = (what: string, counts: Counts): Record<string, number> =>
  Object.fromEntries(
    sheetOf(counts)
      .filter(({ unit }) => !unit.endsWith('gb_months'))
      .map(({ unit, each }) => [`${unit}_per_${what}`, each]),
  )
