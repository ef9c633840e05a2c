import { describe, expect, it } from 'vitest'
import { endedBatch, resultsOf, submittedBatch } from './support/batches.ts'
import { newTenant, TEXT } from './support/tenant.ts'

const COUNT = 12

/** Each is longer than the one before, which the vectors of the stand-ins tell. */
const inputs = Array.from({ length: COUNT }, (_, at) => ({
  texts: [`${TEXT} ${'more '.repeat(at)}`, `${at}`],
}))

describe.concurrent('the results of a batch whose provider answers out of order', () => {
  it.each(['embedded/hash-1', 'openai/text-embedding-3-small', 'workers-ai/bge-m3'])(
    'are for each item what it would have had as a job (%s)',
    async (model) => {
      const acme = await newTenant()
      const items = inputs.map((input, at) => ({ external_reference: `item-${at}`, input }))
      const { id } = await submittedBatch(acme, { kind: 'embed', model, items })
      const jobs = await Promise.all(
        [0, 5, COUNT - 1].map(async (at) => {
          const job = await acme.submitted({ kind: 'embed', model, input: inputs[at] })
          await acme.ended(job.id)
          return { at, output: (await acme.result(job.id)).output }
        }),
      )

      expect(await endedBatch(acme, id)).toMatchObject({ status: 'completed' })

      const results = await resultsOf(acme, id)
      for (const { at, output } of jobs)
        expect(results[at]).toMatchObject({ external_reference: `item-${at}`, output })
      expect(new Set(results.map(({ output }) => JSON.stringify(output))).size).toBe(COUNT)
    },
  )
})
