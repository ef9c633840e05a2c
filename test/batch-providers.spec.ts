import { randomUUID } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { chunksOf } from './support/batch-rows.ts'
import {
  cancelledBatch,
  endedBatch,
  itemsOf,
  manifestOf,
  markedItems,
  reportOf,
  resultsOf,
  submittedBatch,
} from './support/batches.ts'
import { batchesAtWorkersAi, inLedger } from './support/control.ts'
import { batchesAtOpenAi } from './support/openai-at.ts'
import { newTenant, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

const OPENAI = 'openai/gpt-4o-mini'
const WORKERS_AI = 'workers-ai/llama-3.3-70b-instruct-fp8-fast'

async function started(model: string, wrong: string) {
  const acme = await newTenant()
  const { id } = await submittedBatch(acme, { kind: 'summarize', model, items: markedItems(wrong) })
  return { acme, id }
}

/** What became of the batch: its status, and of each item the class of its failure. */
async function endOf(model: string, wrong: string) {
  const { acme, id } = await started(model, wrong)
  const { status } = await endedBatch(acme, id)
  const { data } = await itemsOf(acme, id)
  return { acme, id, status, classes: data.map(({ error }) => error?.class ?? null) }
}

async function chunkOf(acme: Tenant, id: string) {
  const [chunk] = await chunksOf(acme, id)
  if (!chunk) throw new Error('It has no chunk.')
  return chunk
}

const failedOf = async (acme: Tenant, id: string) =>
  (await reportOf(acme, id)).checks.filter(({ passed }) => !passed).map(({ name }) => name)

const all = <T>(value: T): T[] => [value, value, value]
const none = all(null)

describe.concurrent('a batch whose provider answers', () => {
  it.each([
    [WORKERS_AI, 'as it should', '', none],
    [WORKERS_AI, 'in the other nesting', 'batch-answers:nested', none],
    [WORKERS_AI, 'one twice', 'batch-answers:twice', [null, null, 'duplicate_result']],
    [WORKERS_AI, 'with a foreign one', 'batch-answers:foreign', none],
    [WORKERS_AI, 'one too few', 'batch-answers:missing', [null, null, 'missing_result']],
    [WORKERS_AI, 'nothing', 'batch-answers:none', all('missing_result')],
    [WORKERS_AI, 'by place only', 'batch-answers:nameless', none],
    [WORKERS_AI, 'with other places than names', 'batch-answers:shifted', all('invalid_output')],
    [WORKERS_AI, 'with successes without a result', 'batch-answers:empty', all('invalid_output')],
    [WORKERS_AI, 'with one success without a result', 'fault:empty', ['invalid_output', null, null]],
    [WORKERS_AI, 'that one failed', 'fault:3040', ['invalid_output', null, null]],
    [WORKERS_AI, 'one blank', 'fault:blank', ['invalid_output', null, null]],
    [WORKERS_AI, 'in another shape', 'batch-state:other-shape', all('invalid_output')],
    [OPENAI, 'as it should', '', none],
    [OPENAI, 'one twice', 'batch-answers:twice', [null, null, 'duplicate_result']],
    [OPENAI, 'with a foreign one', 'batch-answers:foreign', none],
    [OPENAI, 'one too few', 'batch-answers:missing', [null, null, 'missing_result']],
    [OPENAI, 'nothing', 'batch-answers:none', all('missing_result')],
    [OPENAI, 'one without a name', 'batch-answers:nameless', [null, null, 'missing_result']],
    [OPENAI, 'in another shape', 'batch-answers:other-shape', all('invalid_output')],
    [OPENAI, 'that one is refused', 'fault:400-context-length', ['input_too_large', null, null]],
    [OPENAI, 'that one is filtered', 'fault:content-filter', ['content_filtered', null, null]],
  ])('(%s) %s (%s) ends with %j', async (model, _, wrong, expected) => {
    const { acme, id, status, classes } = await endOf(model, wrong)
    const failures = classes.filter((one) => one !== null).length

    expect(classes).toEqual(expected)
    expect(status).toBe(failures === 0 ? 'completed' : failures === 3 ? 'failed' : 'partially_failed')
    const lines = await resultsOf(acme, id)
    expect(lines.map(({ external_reference, index }) => [external_reference, index])).toEqual(
      [0, 1, 2].map((at) => [`item-${at}`, at]),
    )
    expect(JSON.stringify([lines, await reportOf(acme, id)])).not.toContain('PROMPT-ECHO')
  })

  it('with a foreign one says so in its report', async () => {
    const { acme, id } = await endOf(WORKERS_AI, 'batch-answers:foreign')

    expect(await failedOf(acme, id)).toContain('references_known')
  })
})

describe.concurrent('a batch whose provider', () => {
  it.each([
    [WORKERS_AI, 'has a word for its state that nobody knows', 'batch-state:new-word', 1],
    [WORKERS_AI, 'limits the rate of submissions', 'batch-submit:429:once', 2],
    [WORKERS_AI, 'has no room at first', 'batch-submit:3040:once', 2],
    [WORKERS_AI, 'cannot be asked for a while', 'batch-poll:3040:once', 1],
    [OPENAI, 'has a word for its state that nobody knows', 'batch-state:new-word', 1],
    [OPENAI, 'limits the rate of submissions', 'batch-create:429:once', 2],
    [OPENAI, 'has too much waiting at first', 'batch-state:token-limit:once', 2],
    [OPENAI, 'cannot be asked for a while', 'batch-read:500:once', 1],
    [OPENAI, 'breaks off while it answers', 'batch-content:cut-in-body:once', 1],
    [OPENAI, 'took it without saying so', 'batch-create:empty-200', 1],
    [OPENAI, 'took it and did not answer', 'batch-create:hangs-after-work', 1],
    [OPENAI, 'did not take it, and did not say so', 'batch-create:500:once', 2],
  ])('(%s) %s (%s) completes after %i tries', async (model, _, wrong, tries) => {
    const { acme, id, status, classes } = await endOf(model, wrong)

    expect({ status, classes }).toEqual({ status: 'completed', classes: none })
    expect(await chunkOf(acme, id)).toMatchObject({ state: 'collected', tries })
    if (model === OPENAI && tries === 1) expect(await batchesAtOpenAi(id)).toHaveLength(1)
  })

  it.each([
    [WORKERS_AI, 'says that it failed', 'batch-state:failed', 'provider_unavailable', 6],
    [WORKERS_AI, 'does not know it any more', 'batch-state:gone', 'provider_unavailable', 6],
    [OPENAI, 'does not know it any more', 'batch-read:404', 'provider_unavailable', 6],
    [WORKERS_AI, 'finds it invalid as a whole', 'batch-submit:5006', 'internal', 3],
    [OPENAI, 'does not take its file', 'batch-state:failed', 'internal', 3],
    [OPENAI, 'finds it invalid as a whole', 'batch-create:400', 'internal', 3],
    [OPENAI, 'never comes to it', 'batch-state:expired-bare', 'timeout', 6],
    [OPENAI, 'refuses our access', 'batch-upload:401', 'permission_denied', 1],
  ])('(%s) %s (%s) fails as %s after %i tries', async (model, _, wrong, expected, tries) => {
    const { acme, id, status, classes } = await endOf(model, wrong)

    expect({ status, classes }).toEqual({ status: 'failed', classes: all(expected) })
    expect(await chunkOf(acme, id)).toMatchObject({ state: 'failed', tries })
  })

  it.each([
    ['expired', 'timeout'],
    ['expired-silent', 'timeout'],
    ['cancelled', 'provider_unavailable'],
  ])('(OpenAI) ends it early as %s keeps what was done, and the rest failed as %s', async (state, rest) => {
    const { status, classes } = await endOf(OPENAI, `batch-state:${state}`)

    expect({ status, classes }).toEqual({ status: 'partially_failed', classes: [null, null, rest] })
  })
})

describe.concurrent('a batch at OpenAI', () => {
  it.each(['', 'fault:400', 'batch-state:expired', 'batch-state:failed'])(
    'leaves no files there (%s)',
    async (wrong) => {
      const { acme, id } = await started(OPENAI, wrong)
      const keys = (await manifestOf(acme, id)).items.map(({ item_key }) => item_key)
      await endedBatch(acme, id)

      await until('they are gone', async () => {
        const files = await (await fetch(new URL('/files', inject('stack').openaiUrl))).text()
        return keys.length === 3 && !keys.some((key) => files.includes(key))
      })
    },
  )
})

describe.concurrent('a batch at Workers AI', () => {
  it.each(['lost', 'no-id', 'hangs'])(
    'that was taken without our knowing it (%s) is never sent again by itself',
    async (fault) => {
      const mark = randomUUID()
      const { acme, id } = await started(WORKERS_AI, `batch-submit:${fault} ${mark}`)
      await until('nobody knows', async () => (await chunkOf(acme, id)).state === 'unknown')

      expect(await cancelledBatch(acme, id)).toMatchObject({ batch: { status: 'cancelled' } })
      expect(await chunkOf(acme, id)).toMatchObject({ tries: 1 })
      const taken = (await batchesAtWorkersAi()).filter((one) => JSON.stringify(one).includes(mark))
      expect(taken).toHaveLength(1)
    },
  )

  it('whose request ID is one of another model is sent again', async () => {
    const acme = await newTenant()
    const stuck = { kind: 'summarize', model: WORKERS_AI, items: markedItems('batch-state:stuck') }
    const other = { ...stuck, model: 'workers-ai/llama-4-scout-17b-16e-instruct', on_duplicate: 'run' }
    const [mine, theirs] = [await submittedBatch(acme, stuck), await submittedBatch(acme, other)]
    const isOut = (id: string) => async () => {
      const { state, provider_request_id } = await chunkOf(acme, id)
      return state === 'submitted' && provider_request_id
    }
    await until('it is out', isOut(mine.id))
    const foreign = await until('the other is out', isOut(theirs.id))

    const change = 'update batch_chunks set provider_request_id = ? where batch_id = ?'
    await inLedger(acme.id, change, String(foreign), mine.id)

    await until('it is sent again', async () => (await chunkOf(acme, mine.id)).tries >= 2)
    const taken = (await batchesAtWorkersAi()).filter(({ request_id }) => request_id === foreign)
    expect(taken).toHaveLength(1)
    await cancelledBatch(acme, mine.id)
    await cancelledBatch(acme, theirs.id)
  })
})
