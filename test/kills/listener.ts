/** Who the Workers tell of their calls, outside of the runtime: it can leave one of each tenant's without an answer. Also there: Workers AI. */
import { createServer } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { onLoopback } from '../support/loopback.ts'
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

  #close: () => void = () => undefined

  async listen(): Promise<string> {
    const { origin, close } = await onLoopback(this.#server)
    this.#close = close
    return origin
  }

  heardOf = (tenantId: string): readonly string[] => this.#heard.get(tenantId) ?? []

  /** The next such call of the tenant's will not return. */
  hold(tenantId: string, at: string): void {
    this.#holds.set(tenantId, at)
  }

  isHeld = (tenantId: string) => this.#held.has(tenantId)

  close = () => this.#close()

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
