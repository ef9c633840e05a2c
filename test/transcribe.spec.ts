import { describe, expect, inject, it } from 'vitest'
import type { Asked } from './support/openai-server.ts'
import { expectStatus, newTenant } from './support/tenant.ts'
import { uploaded } from './support/uploads.ts'

const ascii = (text: string) => Array.from(text, (character) => character.charCodeAt(0))

/** A WAV file of silence: 8 kHz, mono, 8 bits. */
const wav = (seconds: number) => {
  const samples = 8000 * seconds
  const little = (value: number, bytes: number) =>
    Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** at) % 256)
  const format = [...little(16, 4), ...little(1, 2), ...little(1, 2), ...little(8000, 4), ...little(8000, 4)]
  const head = [...ascii('RIFF'), ...little(36 + samples, 4), ...ascii('WAVEfmt '), ...format]
  const rest = [...little(1, 2), ...little(8, 2), ...ascii('data'), ...little(samples, 4)]
  return Uint8Array.from([...head, ...rest, ...Array<number>(samples).fill(128)])
}

const asked = async () =>
  (await (await fetch(new URL('/asked', inject('stack').openaiUrl))).json()) as Asked[]

describe('a recording', () => {
  it.each(['openai/whisper-1', 'workers-ai/whisper-large-v3-turbo'])(
    'is transcribed by %s',
    async (model) => {
      const acme = await newTenant()
      const { id: file_id } = await uploaded(acme, wav(2), 'audio/wav')
      const { id } = await acme.submitted({ kind: 'transcribe', model, input: { file_id } })

      const job = await acme.ended(id)

      expect(job).toMatchObject({ status: 'succeeded', attempts: 1, kind: 'transcribe' })
      expect(job.usage.cost_usd).toBeGreaterThan(0)
      const { output } = await acme.result(id)
      expect(output).toEqual({
        text: expect.stringMatching(/\w/),
        language: 'en',
        segments: expect.arrayContaining([
          { start: expect.any(Number), end: expect.any(Number), text: expect.stringMatching(/\w/) },
        ]),
      })
    },
  )

  it('reaches the provider as it was uploaded', async () => {
    const acme = await newTenant()
    const recording = wav(3)
    const { id: file_id } = await uploaded(acme, recording, 'audio/wav')
    const { id } = await acme.submitted({ kind: 'transcribe', model: 'openai/whisper-1', input: { file_id } })
    await acme.ended(id)

    const call = (await asked()).find(({ key }) => key.startsWith(id))

    expect(call?.body).toMatchObject({ file: { bytes: recording.byteLength, type: 'audio/wav' } })
  })

  it('that a model cannot take is refused with a pointer', async () => {
    const acme = await newTenant()
    const { id: file_id } = await uploaded(acme, wav(2), 'audio/wav')
    const job = { kind: 'transcribe', model: 'openai/gpt-4o-mini', input: { file_id } }

    expect((await expectStatus(400, acme.submit(job))).body.errors[0]?.pointer).toBe('/model')
  })

  it('is estimated by its length before it is submitted', async () => {
    const acme = await newTenant()
    const { id: file_id } = await uploaded(acme, wav(30), 'audio/wav')
    const job = { kind: 'transcribe', model: 'openai/whisper-1', input: { file_id } }

    const { body } = await expectStatus(200, acme.client.post('/v1/jobs/estimate', job))

    expect(body).toMatchObject({ would_be_accepted: true, estimated_input_tokens: 61 })
  })
})
