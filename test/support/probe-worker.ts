/** A Worker of the specs alone: it may put raw messages on every queue. The product's own Workers have no such binding. */
interface RawQueue {
  send(body: unknown, options: { contentType: 'json' | 'text' }): Promise<unknown>
}

interface Letter {
  readonly queue: string
  readonly body: unknown
  readonly contentType: 'json' | 'text'
}

export default {
  async fetch(request: Request, env: Record<string, RawQueue>): Promise<Response> {
    const { queue, body, contentType } = (await request.json()) as Letter
    await env[queue]?.send(body, { contentType })
    return new Response(null, { status: env[queue] ? 204 : 404 })
  },
}
