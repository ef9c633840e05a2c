import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeResults, type ResultPart, type ResultSources } from './merge.ts'

const lineOf = (index: number) => new TextEncoder().encode(`${JSON.stringify({ index })}\n`)

type Runs = ResultPart['runs']

const indexesOf = (runs: Runs) =>
  runs.flatMap(([first = 0, count = 0]) => Array.from({ length: count }, (_, at) => first + at))

const runsOf = (indexes: readonly number[]): Runs =>
  indexes.reduce<[number, number][]>((runs, index) => {
    const last = runs.at(-1)
    if (last && last[0] + last[1] === index) last[1]++
    else runs.push([index, 1])
    return runs
  }, [])

/** Objects as the parts describe them, and how many were open at most and still are. */
function stored(parts: readonly ResultPart[]) {
  const seen = { open: 0, most: 0 }
  const sources: ResultSources = {
    async open(ref) {
      seen.most = Math.max(seen.most, ++seen.open)
      const indexes = indexesOf(parts.find(({ outputRef }) => outputRef === ref)?.runs ?? [])
      const source: UnderlyingSource<Uint8Array> = {
        pull(controller: ReadableStreamDefaultController<Uint8Array>) {
          const index = indexes.shift()
          if (index !== undefined) return controller.enqueue(lineOf(index))
          seen.open--
          controller.close()
        },
        cancel() {
          seen.open--
        },
      }
      // It does not run ahead: who has read what it wants says so, or it stays open.
      return new ReadableStream(source, { highWaterMark: 0 })
    },
    async *linesOf(_, first, count) {
      for (const index of indexesOf([[first, count]])) yield lineOf(index)
    },
  }
  return { sources, seen }
}

async function indexesIn(pieces: AsyncIterable<Uint8Array>): Promise<number[]> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of pieces) text += decoder.decode(piece, { stream: true })
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { index: number }).index)
}

const part = (chunk: number, runs: Runs, outputRef: string | null = `chunk ${chunk}`): ResultPart => ({
  chunk,
  runs,
  ended: 1,
  outputRef,
  contentDeleted: false,
})

describe('the results of a batch', () => {
  it('come in input order, whichever chunk and source they are from', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(4), { maxLength: 60 }), fc.nat(4), async (chunkOfItem, without) => {
        const parts = [0, 1, 2, 3, 4].map((chunk) => {
          const indexes = chunkOfItem.flatMap((one, index) => (one === chunk ? [index] : []))
          return part(chunk, runsOf(indexes), chunk === without ? null : `chunk ${chunk}`)
        })
        const { sources } = stored(parts)

        expect(await indexesIn(mergeResults(parts, sources))).toEqual(chunkOfItem.map((_, index) => index))
      }),
    )
  })

  it('open one object at a time where chunks follow each other', async () => {
    const parts = [part(1, [[3, 3]]), part(0, [[0, 3]]), part(2, [[6, 1]])]
    const { sources, seen } = stored(parts)

    expect(await indexesIn(mergeResults(parts, sources))).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(seen.most).toBe(1)
  })

  it('pass over what nothing has become of', async () => {
    const parts = [part(0, [[0, 2]]), { ...part(1, [[2, 2]], null), ended: 0 }, part(2, [[4, 1]])]

    expect(await indexesIn(mergeResults(parts, stored(parts).sources))).toEqual([0, 1, 4])
  })

  it('leave nothing open for a reader that goes away', async () => {
    const parts = [part(0, runsOf([0, 2, 4, 6])), part(1, runsOf([1, 3, 5, 7]))]
    const { sources, seen } = stored(parts)
    const pieces = mergeResults(parts, sources)
    for (let read = 0; read < 3; read++) await pieces.next()
    expect(seen.open).toBe(2)

    await pieces.return(undefined)

    expect(seen.open).toBe(0)
  })

  it('are none for a batch without chunks', async () => {
    expect(await indexesIn(mergeResults([], stored([]).sources))).toEqual([])
  })
})
