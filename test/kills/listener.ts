/** Who the Workers tell of their calls, outside of the runtime: it can leave one of each tenant's without an answer. Also there: Workers AI. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AnyInput, runAi } from '../support/workers-ai-answers.ts'

interface AiCall {
  readonly model: string
  readonly input: AnyInput
  readonly options: { readonly queueRequest?: boolean }
}

export class Listener {
  /** What each tenant's Workers did, in this order. */
  readonly #heard = new Map<string, string[]>()
  readonly #holds = new Map<string, string>()
  readonly #held = new Set<string>()
  readonly #server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request)) as unknown
    if (request.url === '/ai') response.end(JSON.stringify(await answered(body as AiCall)))
    else if (!this.#holdsBack(body as { tenantId: string; at: string })) response.end()
  })

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  heardOf = (tenantId: string): readonly string[] => this.#heard.get(tenantId) ?? []

  /** The next such call of the tenant's will not return. */
  hold(tenantId: string, at: string): void {
    this.#holds.set(tenantId, at)
  }

  isHeld = (tenantId: string) => this.#held.has(tenantId)

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #holdsBack({ tenantId, at }: { tenantId: string; at: string }): boolean {
    this.#heard.set(tenantId, [...this.heardOf(tenantId), at])
    if (this.#holds.get(tenantId) !== at || this.#held.has(tenantId)) return false
    this.#held.add(tenantId)
    return true
  }
}

const answered = ({ model, input, options }: AiCall) =>
  runAi(model, input, options).then(
    (answer) => ({ answer }),
    (error: Error) => ({ error: error.message }),
  )

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
