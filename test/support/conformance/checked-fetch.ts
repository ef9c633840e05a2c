/** `fetch`, with every exchange held against the documents: what is not as described throws at once. */
import { check, type Exchange } from './exchange.ts'

const NDJSON = 'application/x-ndjson'

export async function checkedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = await requestOf(input, init)
  const response = await fetch(input, init)
  const { status, headers } = response
  const answered = (text: string): Exchange => ({ ...request, status, headers, text })
  if (response.body && headers.get('Content-Type') === NDJSON) return checkedStream(response, answered)
  check(answered(await response.clone().text()))
  return response
}

/** What has been sent, read before it is. */
async function requestOf(input: RequestInfo | URL, init: RequestInit = {}) {
  const asked = input instanceof Request ? input : null
  const { method = asked?.method ?? 'GET', headers = asked?.headers, body } = init
  const text = body === undefined && asked ? await asked.clone().text() : textOf(body ?? '')
  return {
    method: method.toUpperCase(),
    url: new URL(asked ? asked.url : String(input)),
    sent: new Headers(headers),
    requestText: text,
  }
}

/** Bytes that are read as a stream are nobody's to look at before. */
function textOf(body: BodyInit): string | null {
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body)
  return ArrayBuffer.isView(body) ? new TextDecoder().decode(body) : null
}

/** Lines are handed on as they come; what is wrong with them breaks the stream off at its end. */
function checkedStream(response: Response, answered: (text: string) => Exchange): Response {
  const decoder = new TextDecoder()
  let text = ''
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      text += decoder.decode(bytes, { stream: true })
      controller.enqueue(bytes)
    },
    flush() {
      check(answered(text))
    },
  })
  return new Response(response.body?.pipeThrough(watch) ?? null, response)
}
