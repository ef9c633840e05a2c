import { describe, expect, it } from 'vitest'
import { models } from '../catalog/models.ts'
import type { Model } from '../openapi/models.ts'
import { expectStatus, newTenant, type Tenant } from './support/tenant.ts'

async function modelsOf(tenant: Tenant): Promise<Model[]> {
  const { body } = await expectStatus(200, tenant.get('/v1/models?limit=100'))
  return body.data as unknown as Model[]
}

describe('the list of models', () => {
  it('holds what jobs can ask for, with what each can do and costs', async () => {
    const acme = await newTenant()

    const listed = await modelsOf(acme)

    expect(listed.map(({ id }) => id)).toEqual(models.map(({ id }) => id))
    expect(listed.find(({ id }) => id === 'embedded/hash-1')).toEqual({
      id: 'embedded/hash-1',
      object: 'model',
      provider: 'embedded',
      version: '1',
      kinds: ['embed', 'classify'],
      default_for: ['embed', 'classify'],
      batch: { max_items: 1000, max_bytes: 8_388_608 },
      max_input_tokens: 25_000_000,
      dimensions: 256,
      price: { input_usd_per_million_tokens: 0, output_usd_per_million_tokens: 0, usd_per_job: 0 },
      max_confidentiality: 'restricted',
      enabled: true,
    })
    const whisper = listed.find(({ id }) => id === 'workers-ai/whisper-large-v3-turbo')
    expect(whisper).toMatchObject({ batch: null, dimensions: null, default_for: ['transcribe'] })
    expect(whisper?.price.input_usd_per_million_tokens).toBe(8.5)
  })

  it('leaves out the misbehaving ones where the plan does', async () => {
    const acme = await newTenant({ test_models: false })

    const listed = await modelsOf(acme)

    expect(listed.some(({ provider }) => provider === 'test')).toBe(false)
  })

  it('comes in pages', async () => {
    const acme = await newTenant()
    const seen: string[] = []
    let query = '?limit=7'
    for (let isLast = false; !isLast; ) {
      const { body } = await expectStatus(200, acme.get(`/v1/models${query}`))
      seen.push(...body.data.map(({ id }) => id))
      isLast = !body.has_more
      query = `?limit=7&cursor=${body.next_cursor}`
    }

    expect(seen).toEqual(models.map(({ id }) => id))
  })
})
