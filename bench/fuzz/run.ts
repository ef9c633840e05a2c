/**
 * `npm run fuzz -- [--requests N] [--seed N] [--only N] [--json]`. Exit code 1 when an answer is not as promised, 2 for a call that
 * cannot be read. `--only` sends that one request of the seed's again, and prints request and answer.
 */
import { parseArgs } from 'node:util'
import { report } from '../support/report.ts'
import { runFuzz } from './fuzz.ts'

const REQUESTS = '20000'
const MOST_REQUESTS = 1_000_000

interface Call {
  readonly requests: number
  readonly seed: number
  readonly only: number | null
  readonly json: boolean
}

function readCall(): Call | null {
  try {
    const { values } = parseArgs({
      options: {
        requests: { type: 'string', default: REQUESTS },
        seed: { type: 'string', default: String(Date.now() % 1_000_000) },
        only: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    })
    const [requests, seed] = [Number(values.requests), Number(values.seed)]
    const only = values.only === undefined ? null : Number(values.only)
    const whole = [requests, seed, only ?? 0].every(Number.isInteger)
    const fits = whole && requests > 0 && requests <= MOST_REQUESTS
    return fits ? { requests, seed, only, json: values.json } : null
  } catch {
    return null
  }
}

const call = readCall()
if (call) process.exitCode = report('fuzz', await runFuzz({ ...call, tell: console.error }), call.json)
else {
  console.error('Usage: npm run fuzz -- [--requests N] [--seed N] [--only N] [--json]')
  process.exitCode = 2
}
