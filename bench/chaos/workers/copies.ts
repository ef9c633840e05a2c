/** A queue batch handed on as batches of its own, whose acknowledgements are only noted. */
export type Ending = { kind: 'ack' } | { kind: 'retry'; delaySeconds: number | undefined }

export interface Copy {
  readonly batch: MessageBatch
  /** How each message ended, by its ID; none for one that nobody got to. The first word on a message counts. */
  readonly endings: ReadonlyMap<string, Ending>
}

export function copyOf(batch: MessageBatch, messages: readonly Message[]): Copy {
  const endings = new Map<string, Ending>()
  const end = (id: string, ending: Ending) => {
    if (!endings.has(id)) endings.set(id, ending)
  }
  const retry = (id: string, options?: QueueRetryOptions) =>
    end(id, { kind: 'retry', delaySeconds: options?.delaySeconds })
  const copies = messages.map(({ id, timestamp, body, attempts }) => ({
    id,
    timestamp,
    body,
    attempts,
    ack: () => end(id, { kind: 'ack' }),
    retry: (options?: QueueRetryOptions) => retry(id, options),
  }))
  const all = {
    queue: batch.queue,
    metadata: batch.metadata,
    messages: copies,
    ackAll() {
      for (const { ack } of copies) ack()
    },
    retryAll(options?: QueueRetryOptions) {
      for (const copy of copies) copy.retry(options)
    },
  }
  return { batch: all, endings }
}

export function applyTo(message: Message, ending: Ending): void {
  if (ending.kind === 'ack') message.ack()
  else message.retry(ending.delaySeconds === undefined ? {} : { delaySeconds: ending.delaySeconds })
}
