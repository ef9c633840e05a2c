/**
 * The clock of a Worker under the benchmark, which can be put forward: retention of a hundred days takes seconds. Imported before
 * anything else, so that nobody has seen another clock. Alarms are set by the machine's own (`meters.ts`).
 */
const RealDate = Date
let aheadMs = 0

class Clock extends RealDate {
  constructor(...args: [] | [number | string | Date]) {
    if (args.length === 0) super(RealDate.now() + aheadMs)
    else super(args[0])
  }

  static override now = () => RealDate.now() + aheadMs
}

globalThis.Date = Clock as DateConstructor

export const realNow = RealDate.now
export const ahead = () => aheadMs
export const putForward = (ms: number) => {
  aheadMs += ms
}
