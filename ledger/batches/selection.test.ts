import { describe, expect, it } from 'vitest'
import type { Run } from '../schema.ts'
import type { LineGroup } from './lines.ts'
import { selected } from './selection.ts'

const lineAt = (line: number) => ({ line, at: line * 10, bytes: 1, text: `${line}`, fault: null })

/** The numbers of the lines that are taken, and how many groups were read for them. */
async function taken(groups: number[][], runs: Run[] | null) {
  let read = 0
  async function* source(): AsyncGenerator<LineGroup> {
    for (const group of groups) {
      read++
      yield group.map(lineAt)
    }
  }
  const lines: number[] = []
  for await (const group of selected(source(), runs)) lines.push(...group.map(({ line }) => line))
  return { lines, read }
}

const groups = [[1, 2, 3], [4, 5], [6], [7, 9], [10]]

describe('the lines that a rerun takes', () => {
  it('are those of its runs, wherever groups of lines begin and end', async () => {
    const runs: Run[] = [
      [2, 3],
      [6, 1],
      [8, 2],
    ]

    expect((await taken(groups, runs)).lines).toEqual([2, 3, 4, 6, 9])
    for (const line of groups.flat()) expect((await taken(groups, [[line, 1]])).lines).toEqual([line])
  })

  it('are looked for no further than the last of them', async () => {
    expect((await taken(groups, [[4, 2]])).read).toBe(2)
    expect((await taken(groups, [[4, 3]])).read).toBe(3)
  })

  it('are all where it takes all', async () => {
    expect((await taken(groups, null)).lines).toEqual(groups.flat())
  })
})
