import { describe, expect, it, vi } from 'vitest'
import { doDuties } from './duties.ts'

describe('the duties of a minute', () => {
  it('are all done, one after the other, though one fails; which is in the log, and fails the cron', async () => {
    const told = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const done: string[] = []
    const duty = (name: string) => async () => void done.push(name)

    const cron = doDuties({
      first: duty('first'),
      broken: () => Promise.reject(new TypeError('a secret')),
      last: duty('last'),
    })

    await expect(cron).rejects.toThrow(/^Duties that failed: broken$/)

    expect(done).toEqual(['first', 'last'])
    expect(told.mock.calls).toEqual([
      [JSON.stringify({ event: 'cron.duty_failed', duty: 'broken', error: 'TypeError' })],
    ])
    told.mockRestore()
  })
})
