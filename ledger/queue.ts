/** What every queue consumer does with messages: sort out what it cannot read, and put off what it cannot do now. */
import type { z } from '@hono/zod-openapi'
import { recordMessageDeadLetter } from './directory/dead-letter-records.ts'
import { openDirectory } from './directory/open.ts'
import { hex } from './hex.ts'
import { errorName, log } from './log.ts'
import { parseMessage } from './messages.ts'

interface DirectoryEnv {
  readonly DIRECTORY: D1Database
}

const RETRY_CAP_SECONDS = 300

/** Puts a message off, longer with each of its attempts. */
export function retryLater(message: Message): void {
  message.retry({ delaySeconds: Math.min(RETRY_CAP_SECONDS, 2 ** message.attempts) })
}

/**
 * The messages that can be read. One of an unknown version is acknowledged, since the ledger sends its job again; an unparseable
 * one becomes a dead letter with its body's hash. Neither holds up the rest.
 */
export async function sortMessages<M>(
  batch: MessageBatch,
  schema: z.ZodType<M>,
  env: DirectoryEnv,
): Promise<{ raw: Message; message: M }[]> {
  const known: { raw: Message; message: M }[] = []
  const poison: Message[] = []
  for (const raw of batch.messages) {
    const parsed = parseMessage(schema, raw.body)
    if (parsed.kind === 'message') known.push({ raw, message: parsed.message })
    else if (parsed.kind === 'poison') poison.push(raw)
    else acknowledgeForeign(batch.queue, raw, parsed.version)
  }
  await Promise.all(poison.map((raw) => buryPoison(batch.queue, raw, env)))
  return known
}

function acknowledgeForeign(queue: string, raw: Message, version: number): void {
  log('queue.foreign_version', { queue, message_id: raw.id, version })
  raw.ack()
}

async function buryPoison(queue: string, raw: Message, { DIRECTORY }: DirectoryEnv): Promise<void> {
  try {
    await recordMessageDeadLetter(openDirectory(DIRECTORY), {
      queue: queue.replace(/-dlq$/, ''),
      messageSha256: await bodySha256(raw.body),
      attempts: raw.attempts,
      class: 'unparseable',
      status: 'open',
      tenantId: null,
      jobId: null,
      batchId: null,
      createdAt: raw.timestamp.getTime(),
      why: 'The message could not be read, so there is nothing to run again.',
    })
    raw.ack()
  } catch (error) {
    log('queue.record_failed', { queue, message_id: raw.id, error: errorName(error) })
    retryLater(raw)
  }
}

/** Hex SHA-256 of a message's body: bytes and text as they are, everything else as JSON. */
export async function bodySha256(body: unknown): Promise<string> {
  const bytes = body instanceof ArrayBuffer ? body : new TextEncoder().encode(textOf(body))
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return hex(new Uint8Array(digest))
}

const textOf = (body: unknown) => (typeof body === 'string' ? body : (JSON.stringify(body) ?? ''))
