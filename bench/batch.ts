/**
 * What a batch saves: 10,000 texts embedded out of one file, beside the same texts as 10,000 single jobs, from the first request to the
 * last verified result. The jobs run between two batches, so that what else the machine does strikes both. A batch of that size before
 * fills pools that later ones use again, so by how much memory grows over it is only told.
 */
import { embedByBatch } from './batching/by-batch.ts'
import { embedByJobs } from './batching/by-jobs.ts'
import { type Measured, type Rig, withRig } from './batching/rig.ts'
import type { Bench } from './support/bench.ts'
import { median } from './support/median.ts'

const ITEMS = 10_000
const WARM_UP_ITEMS = 500

const wanted = {
  speedup_vs_jobs: { bound: 'at least', value: 5 },
  rows_per_item_ratio: { bound: 'at most', value: 0.2 },
  memory_growth_mb: { bound: 'at most', value: 128 },
} as const

type Tell = (line: string) => void

export const run: Bench = (tell) => {
  tell('Bundling and starting four Workers …')
  return withRig(async (rig) => {
    tell('Warming up …')
    await rig.warmUp('warm-batch', (tenant) => embedByBatch(tenant, WARM_UP_ITEMS))
    await rig.warmUp('warm-jobs', (tenant) => embedByJobs(tenant, WARM_UP_ITEMS))
    const filling = await runBatch(rig, 'filling', tell)
    const before = await runBatch(rig, 'before', tell)
    tell(`Running ${ITEMS} single jobs …`)
    const jobs = await rig.measure('singles', (tenant) => embedByJobs(tenant, ITEMS))
    tell(`${jobs.seconds.toFixed(1)} s`)
    const batches = [before, await runBatch(rig, 'after', tell)]
    for (const { value } of [filling, ...batches]) value.results.expectEqual(jobs.value, ITEMS)
    return {
      figures: { ...figuresOf(batches, jobs), memory_growth_of_first_mb: growthOf(filling) },
      wanted,
    }
  })
}

async function runBatch(rig: Rig, tenantId: string, tell: Tell) {
  tell(`Running a batch of ${ITEMS} items …`)
  const batch = await rig.measure(tenantId, (tenant) => embedByBatch(tenant, ITEMS))
  tell(`${batch.seconds.toFixed(1)} s`)
  return batch
}

type Batch = Awaited<ReturnType<typeof runBatch>>

function figuresOf(batches: readonly Batch[], jobs: Measured<unknown>) {
  const of = (figure: (batch: Batch) => number) => median(batches.map(figure))
  const seconds = of((batch) => batch.seconds)
  const rows = of((batch) => batch.rows)
  return {
    speedup_vs_jobs: jobs.seconds / seconds,
    rows_per_item_ratio: rows / jobs.rows,
    memory_growth_mb: Math.max(...batches.map(growthOf)),
    memory_peak_mb: Math.max(...batches.map(({ peakMb }) => peakMb)),
    batch_seconds: seconds,
    jobs_seconds: jobs.seconds,
    batch_items_per_second: ITEMS / seconds,
    jobs_per_second: ITEMS / jobs.seconds,
    chunks: of(({ value }) => value.chunks),
    rows_per_item: rows / ITEMS,
    rows_per_job: jobs.rows / ITEMS,
    ledger_calls_per_item: of(({ calls }) => calls) / ITEMS,
    ledger_calls_per_job: jobs.calls / ITEMS,
  }
}

const growthOf = ({ beforeMb, peakMb }: Measured<unknown>) => peakMb - beforeMb
