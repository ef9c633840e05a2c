/** `npm run chaos -- [--jobs N] [--seed N] [--log FILE] [--json]`. Exit code 1 when something is broken, 2 for a call that cannot be read. */
import { parseArgs } from 'node:util'
import { report } from '../support/report.ts'
import { runChaos } from './chaos.ts'

const JOBS = '2000'
const MOST_JOBS = 100_000

function readCall(): { jobs: number; seed: number; logFile: string | null; json: boolean } | null {
  try {
    const { values } = parseArgs({
      options: {
        jobs: { type: 'string', default: JOBS },
        seed: { type: 'string', default: String(Date.now() % 1_000_000) },
        log: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    })
    const [jobs, seed] = [Number(values.jobs), Number(values.seed)]
    const fits = Number.isInteger(jobs) && jobs > 0 && jobs <= MOST_JOBS && Number.isInteger(seed)
    return fits ? { jobs, seed, logFile: values.log ?? null, json: values.json } : null
  } catch {
    return null
  }
}

const call = readCall()
if (call) process.exitCode = report('chaos', await runChaos({ ...call, tell: console.error }), call.json)
else {
  console.error('Usage: npm run chaos -- [--jobs N] [--seed N] [--log FILE] [--json]')
  process.exitCode = 2
}
