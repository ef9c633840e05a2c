/**
 * The crons of a local run, which no local runtime fires by itself. A cron is called at its minutes in UTC, as on the platform: once in
 * a minute at most, and not while its last call goes on.
 */
import { Cron } from 'croner'
import { readWorkerConfig } from './worker-config.ts'
import { workerConfigs } from './workers.ts'

const MINUTE_MS = 60_000

export interface Schedule {
  readonly worker: string
  /** Of five fields; days of the week are 1 (Sunday) to 7, as the platform has them. */
  readonly cron: string
}

const options = { mode: '5-part', timezone: 'UTC', alternativeWeekdays: true } as const

/** Answers how the call ended: `ok`, unless the Worker threw. */
export type CallOnSchedule = (schedule: Schedule, scheduledTime: Date) => Promise<string>

/** All that the Workers' configurations declare for the local run. */
export const localSchedules = (): Schedule[] =>
  Object.values(workerConfigs).flatMap((path) => {
    const { name, triggers } = readWorkerConfig(path, '')
    return triggers.crons.map((cron) => ({ worker: name, cron }))
  })

/** Until what it answers is called. `onError` takes a line for each call that failed or was left out. */
export function keepSchedules(
  schedules: readonly Schedule[],
  call: CallOnSchedule,
  onError: (line: string) => void,
): () => void {
  const crons = schedules.map((schedule) => keep(schedule, call, onError))
  return () => {
    for (const cron of crons) cron.stop()
  }
}

function keep(schedule: Schedule, call: CallOnSchedule, onError: (line: string) => void): Cron {
  const tell = (what: string) => onError(`The cron "${schedule.cron}" of ${schedule.worker} ${what}`)
  let [lastMinute, goesOn] = [0, false]
  return new Cron(schedule.cron, options, async () => {
    const minute = Math.floor(Date.now() / MINUTE_MS)
    // The machine's clock may be set back.
    if (minute <= lastMinute) return
    lastMinute = minute
    if (goesOn) return tell('is left out, since its last call goes on.')
    goesOn = true
    const outcome = await call(schedule, new Date(minute * MINUTE_MS)).catch(String)
    goesOn = false
    if (outcome !== 'ok') tell(`failed: ${outcome}`)
  })
}
