/**
 * By how much workerd's memory grows while the largest file is uploaded, with the real gateway and the local stand-in of R2 in one
 * process. The first upload of that size fills pools that later ones use again, so it is not counted.
 */
import { request } from 'node:http'
import { MAX_FILE_BYTES } from '../catalog/file-types.ts'
import type { Bench } from './support/bench.ts'
import { Caller, gatewaySpecs, newTenant, prepareDirectory } from './support/gateway.ts'
import { residentMb, withPeak, workerdPids } from './support/memory.ts'
import { startWorkerd } from './support/workerd.ts'

const CHUNK_BYTES = 64 * 1024
const MB = 1024 * 1024
const wanted = { memory_growth_mb: { bound: 'below', value: 32 } } as const

export const run: Bench = async (tell) => {
  tell('Bundling and starting three Workers …')
  const workerd = await startWorkerd(
    await gatewaySpecs({ SWEEP_SECONDS: '5', RUN_TIMEOUT_SECONDS: '60', BATCH_GRACE_SECONDS: '90' }),
  )
  try {
    const operator = await Caller.signIn(await workerd.urlOf('gateway'), await prepareDirectory(workerd))
    const tenant = await newTenant(operator, 'uploading', {})
    const pids = workerdPids()
    tell('Warming up …')
    await upload(tenant)
    tell('Measuring …')
    const before = residentMb(pids)
    const startedAt = performance.now()
    const { peakMb } = await withPeak(pids, () => upload(tenant))
    const seconds = (performance.now() - startedAt) / 1000
    return {
      figures: {
        memory_growth_mb: peakMb - before,
        memory_before_mb: before,
        memory_peak_mb: peakMb,
        upload_mb: MAX_FILE_BYTES / MB,
        upload_mb_per_second: MAX_FILE_BYTES / MB / seconds,
      },
      wanted,
    }
  } finally {
    await workerd.stop()
  }
}

/** Text that is UTF-8 throughout, three bytes a character, so that chunks cut characters; waits as the receiver demands. */
function upload({ url, authorization }: Caller): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: authorization,
      'Content-Type': 'text/plain',
      'Content-Length': MAX_FILE_BYTES,
    }
    const sending = request(new URL('/v1/files', url).href, { method: 'POST', headers }, (response) => {
      if (response.statusCode === 201) response.on('end', resolve).resume()
      else reject(new Error(`The upload was answered ${response.statusCode}.`))
    })
    sending.on('error', reject)
    send(sending, content(MAX_FILE_BYTES))
  })
}

function send(sending: ReturnType<typeof request>, chunks: Iterator<Buffer>): void {
  for (let next = chunks.next(); !next.done; next = chunks.next())
    if (!sending.write(next.value)) return void sending.once('drain', () => send(sending, chunks))
  sending.end()
}

function* content(bytes: number): Generator<Buffer, undefined> {
  const chunk = Buffer.from('人'.repeat(CHUNK_BYTES / 2))
  const whole = bytes - (bytes % 3)
  for (let at = 0; at < whole; at += CHUNK_BYTES)
    yield chunk.subarray(at % 3, (at % 3) + Math.min(CHUNK_BYTES, whole - at))
  if (bytes > whole) yield Buffer.alloc(bytes - whole, 'a')
}
