import { randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { expectNothingStored } from './support/raw-jobs.ts'
import { newTenant, summarizeJob, type Tenant } from './support/tenant.ts'

const MIB = 1024 * 1024
let acme: Tenant
beforeAll(async () => {
  acme = await newTenant()
})

const headersOf = (token: string) => ({
  Authorization: `Bearer ${token}`,
  'Content-Type': 'application/json',
  'Idempotency-Key': randomUUID(),
})

const post = (init: RequestInit & { duplex?: 'half' }, token = acme.client.token) =>
  fetch(new URL('/v1/jobs', inject('stack').url), { method: 'POST', headers: headersOf(token), ...init })

/** A body without a length, sent in chunks of 64 KiB. */
function streamOf(text: string): ReadableStream<Uint8Array> {
  const chunks =
    Buffer.from(text)
      .toString('latin1')
      .match(/[\s\S]{1,65536}/g) ?? []
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift()
      if (chunk === undefined) controller.close()
      else controller.enqueue(Buffer.from(chunk, 'latin1'))
    },
  })
}

describe('a body that is too large', () => {
  it.each([2, 5, 33])('is refused with an answer that its client can read (%i MiB)', async (mebibytes) => {
    const answer = await post({ body: 'a'.repeat(mebibytes * MIB) })

    expect([answer.status, await answer.json()]).toEqual([
      413,
      expect.objectContaining({ type: expect.stringMatching(/\/problems\/payload-too-large$/) }),
    ])
    await expectNothingStored(acme)
  })

  it('is refused too where its length is not told', async () => {
    const answer = await post({ body: streamOf('a'.repeat(3 * MIB)), duplex: 'half' })

    expect(answer.status).toBe(413)
    await answer.text()
  })

  it('of a caller who may not send any is answered by that', async () => {
    const answer = await post({ body: 'a'.repeat(5 * MIB) }, 'a.b.c')

    expect(answer.status).toBe(401)
    await answer.text()
  })
})

it('a body whose length is not told is taken like any other', async () => {
  const other = await newTenant()

  const answer = await post(
    { body: streamOf(JSON.stringify(summarizeJob())), duplex: 'half' },
    other.client.token,
  )

  expect(answer.status).toBe(202)
  await answer.text()
})

it('a body that breaks off stores nothing, and the next request is answered', async () => {
  const other = await newTenant()
  const body = JSON.stringify(summarizeJob())
  const { url } = inject('stack')
  const headers = { ...headersOf(other.client.token), 'Content-Length': String(body.length) }
  const outgoing = httpRequest(`${url}/v1/jobs`, { method: 'POST', headers })
  const gone = new Promise((resolve) => outgoing.on('error', resolve).on('close', resolve))
  outgoing.write(body.slice(0, body.length >> 1))
  await sleep(50)
  outgoing.destroy()
  await gone

  await expectNothingStored(other)
})

it.each(['GET', 'HEAD'])('what a %s brings is passed over', async (method) => {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { Authorization: `Bearer ${acme.client.token}`, 'Transfer-Encoding': 'chunked' }
    const outgoing = httpRequest(`${inject('stack').url}/v1/jobs`, { method, headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    outgoing.on('error', reject).end('{"unread":')
  })

  expect(status).toBe(200)
})
