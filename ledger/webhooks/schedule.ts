/** When a webhook delivery is tried again (the example schedule of Standard Webhooks 1.0.0). Pure; times in milliseconds. */
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Delay before each attempt, the first at once: ten attempts over about three days. */
export const deliveryDelays = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const

const JITTER = 0.1

/** Delay after `attempts` failed attempts, up to 10 % longer by jitter; null when the schedule is exhausted. */
export function nextDeliveryDelay(attempts: number, random: () => number): number | null {
  const delay = deliveryDelays[attempts]
  return delay === undefined ? null : Math.round(delay * (1 + JITTER * random()))
}
