import { describe, expect, it } from 'vitest'
import { acceptBatch } from './accept-batch.ts'
import {
  answerTo,
  BatchLedger,
  itemKey,
  lookWork,
  plannedChunks,
  requestAt,
  startedBatch,
} from './batches.fixture.ts'
import { findDuplicates, type Keyed } from './duplicates.ts'
import { PAGE_ITEMS } from './plan.ts'
import { finished } from './reruns.fixture.ts'
import { updateBatch } from './rows.ts'
import { noted, sent } from './submissions.fixture.ts'

const asked: Keyed = { kind: 'summarize', model: 'test/priced', modelVersion: '1', processingVersion: '1' }

const keys = (...indexes: number[]) => indexes.map((index) => itemKey(`r${index}`))

const found = (ledger: BatchLedger, of: string[], more: Partial<Keyed> = {}) =>
  ledger.run((ctx) => findDuplicates(ctx, { ...asked, ...more }, of))

describe('items that are open in another batch', () => {
  it('are those that nothing has become of yet, by their place in the request', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)
    lookWork(ledger, acting)
    noted(ledger, acting, answerTo(sent(ledger, acting), 'sf'))

    expect(found(ledger, keys(0, 3, 9, 1, 2))).toEqual([
      { index: 1, batchIds: [acting.batchId] },
      { index: 4, batchIds: [acting.batchId] },
    ])
  })

  it('are found on whatever page of its manifest they are', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([PAGE_ITEMS, 1]))
    lookWork(ledger, acting)
    noted(ledger, acting, answerTo(sent(ledger, acting), 's'.repeat(PAGE_ITEMS)))

    expect(found(ledger, keys(PAGE_ITEMS))).toEqual([{ index: 0, batchIds: [acting.batchId] }])
    expect(found(ledger, keys(0, PAGE_ITEMS - 1))).toEqual([])
  })

  it('are not those of a batch that has ended, whatever else is open', () => {
    const ledger = new BatchLedger()
    finished(ledger, ['ssss'])
    const { batchId } = startedBatch(ledger, plannedChunks([2, 2]), { processingVersion: '2' })
    updateBatch(ledger.db, batchId, { processingVersion: '1' })

    expect(found(ledger, keys(0, 1, 2, 3))).toEqual([])
    expect(found(ledger, [itemKey('r1', '2')])).toEqual([{ index: 0, batchIds: [batchId] }])
  })

  it.each<[string, Partial<Keyed>]>([
    ['kind', { kind: 'classify' }],
    ['model', { model: 'embedded/extract-1' }],
    ['model version', { modelVersion: '2' }],
    ['processing version', { processingVersion: '2' }],
  ])('are not looked for in a batch of another %s', (_, more) => {
    const ledger = new BatchLedger()
    startedBatch(ledger)

    expect(found(ledger, keys(0), more)).toEqual([])
  })
})

describe('a refusal for items that are open in another batch', () => {
  it('names all of them; how many are shown is for the answer to say', () => {
    const ledger = new BatchLedger()
    startedBatch(ledger, plannedChunks([101]))

    const outcome = ledger.run((ctx) => acceptBatch(ctx, requestAt(ledger.now, plannedChunks([101]))))

    expect(outcome).toMatchObject({ refusal: { code: 'duplicate-items', errors: { length: 101 } } })
  })
})
