/** Where the state of a run is kept: what is written there is gone with the run, so it need not wait for a disk. */
import { statfsSync } from 'node:fs'

const MEMORY = '/dev/shm'
/** More than a run ever has at once; containers often have less of it. */
const ENOUGH_BYTES = 4 * 1024 ** 3

/** A folder in memory if there is room enough in one; null where there is none. */
export function quickFolder(): string | null {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ENOUGH_BYTES ? MEMORY : null
  } catch {
    return null
  }
}
