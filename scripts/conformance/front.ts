/** What clients call in the place of the gateway: it leads what a document describes through the Prism of that document. */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'

export interface Violation {
  /** As `['response', 'body', 'status']`. */
  readonly location?: readonly string[]
  readonly message?: string
}

export interface Exchange {
  readonly method: string
  readonly path: string
  readonly status: number
  /** Whether the answer is lines of JSON, which are one text to Prism. */
  readonly isLines: boolean
  readonly violations: readonly Violation[]
}

/** The port that a path leads to; `judged` where Prism listens there. */
export type Route = (path: string) => { port: number; judged: boolean }

export class Front {
  readonly exchanges: Exchange[] = []
  readonly #route: Route
  readonly #server: Server

  constructor(route: Route) {
    this.#route = route
    this.#server = createServer((asked, answer) => this.#pass(asked, answer))
  }

  listen = (port: number) =>
    new Promise<void>((resolve) => {
      this.#server.listen(port, 'localhost', resolve)
    })

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #pass(asked: IncomingMessage, answer: ServerResponse): void {
    const { method = 'GET', url = '/', headers } = asked
    const { port, judged } = this.#route(url)
    const passed = request({ host: 'localhost', port, method, path: url, headers }, (response) => {
      const { 'sl-violations': told, ...others } = response.headers
      const status = response.statusCode ?? 0
      const isLines = others['content-type'] === 'application/x-ndjson'
      const violations = JSON.parse(String(told ?? '[]')) as Violation[]
      if (judged) this.exchanges.push({ method, path: url, status, isLines, violations })
      answer.writeHead(status, others)
      response.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  }
}
