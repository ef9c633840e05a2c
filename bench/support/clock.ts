/** Milliseconds on the machine's monotonic clock: the same in every thread and process, with fractions. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6
