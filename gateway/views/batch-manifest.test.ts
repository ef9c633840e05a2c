import { describe, expect, it } from 'vitest'
import type { ManifestPage } from '../../ledger/batches/snapshots.ts'
import { manifestView } from './batch-manifest.ts'

const batch = {
  ...{ id: 'batch_1', kind: 'embed', model: 'embedded/hash-1', modelVersion: '1', provider: 'embedded' },
  ...{ processingVersion: '1', confidentiality: 'internal', parentBatchId: null, itemsFileId: null },
  ...{
    createdAt: 0,
    createdBy: 'client',
    retentionSeconds: 60,
    contentExpiresAt: null,
    counts: { total: 900 },
  },
}
const chunk = (number: number, path: 'batch' | 'jobs') => ({
  ...{ chunk: number, path, state: 'planned', items: 450, bytes: 9, confidentiality: 'internal' },
  ...{
    retentionSeconds: 60,
    deleteAfter: null,
    providerRequestId: null,
    submittedAt: null,
    collectedAt: null,
  },
})
const item = { index: 0, reference: 'r0', key: 'k', inputSha256: '0', chunk: 0 }

const page = { batch, chunks: [chunk(0, 'batch'), chunk(1, 'jobs')], items: [item] }
const shown = manifestView(page as unknown as ManifestPage)

describe('a manifest', () => {
  it('counts all items, of which it shows a page', () => {
    expect(shown).toMatchObject({ item_count: 900, items: [{ index: 0 }] })
  })

  it('says which chunks run as single jobs', () => {
    expect(shown.chunks.map(({ path }) => path)).toEqual(['batch', 'individual'])
  })
})
