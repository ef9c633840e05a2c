/**
 * The gate that every answer of a described route passes: JSON goes out as the schema of its status parses it, so that nothing leaves
 * by accident, and what the document does not promise (another status, another type, a body that does not fit) is a fault of ours.
 * Answers that were stored to be given again pass it too: what is added to a schema has to be optional for as long as they are kept.
 */
import type { RouteConfig, z } from '@hono/zod-openapi'
import type { Context, Next } from 'hono'
import { log } from '../ledger/log.ts'
import { placesOf } from './answer-places.ts'
import { essenceOf } from './media-type.ts'
import type { GatewayContext } from './router.ts'

export class UnfitAnswer extends Error {
  override readonly name = 'UnfitAnswer'
}

/** What is declared for a status: its types, or none; and the schema of the one that is JSON, which is parsed here. */
interface Declared {
  readonly types: readonly string[]
  readonly schema: z.ZodType | null
}

const JSON_TYPE = 'application/json'

type Handler = (c: Context<GatewayContext>, next: Next) => Response | Promise<Response>

/** The handler behind the gate. To the router's types it is what it was. */
export function gated<H>(route: RouteConfig, handler: H): H {
  const answers = answersOf(route)
  const behind = async (c: Context<GatewayContext>, next: Next) => {
    const gate = new Gate(c, route, answers)
    const response = await (handler as Handler)(c, next)
    gate.check(response)
    return response
  }
  return behind as H
}

class Gate {
  readonly #c: Context<GatewayContext>
  readonly #route: RouteConfig
  readonly #answers: ReadonlyMap<number, Declared>
  #parsed = false

  /** From now on JSON of the context passes here. */
  constructor(c: Context<GatewayContext>, route: RouteConfig, answers: ReadonlyMap<number, Declared>) {
    this.#c = c
    this.#route = route
    this.#answers = answers
    const { json } = c
    // As described routes call it: with a status, and headers in an object.
    const parsing = (body: unknown, status?: unknown, headers?: Record<string, string>) =>
      json(this.#parse(Number(status), body) as object, status as 200, headers)
    c.json = parsing as typeof json
  }

  #parse(status: number, body: unknown): unknown {
    const schema = this.#answers.get(status)?.schema
    if (!schema) throw this.#unfit(status, 'undeclared')
    const { success, data, error } = schema.safeParse(body)
    if (!success) throw this.#unfit(status, placesOf(schema, error.issues))
    this.#parsed = true
    return data
  }

  check({ status, headers }: Response): void {
    const declared = this.#answers.get(status)
    const type = essenceOf(headers.get('Content-Type') ?? undefined)
    const isUnread = type === JSON_TYPE && !this.#parsed
    if (!declared?.types.includes(type) || isUnread) throw this.#unfit(status, 'undeclared')
  }

  #unfit(status: number, places: string): UnfitAnswer {
    const { operationId: operation_id = '' } = this.#route
    log('answer.unfit', { request_id: this.#c.var.requestId, operation_id, status, places })
    return new UnfitAnswer()
  }
}

function answersOf({ responses }: RouteConfig): Map<number, Declared> {
  const declared = Object.entries(responses).map(([status, response]): [number, Declared] => {
    const content = ('content' in response && response.content) || {}
    const types = Object.keys(content)
    const schema = types.includes(JSON_TYPE) ? schemaOf(content[JSON_TYPE]) : null
    return [Number(status), { types: types.length > 0 ? types : [''], schema }]
  })
  return new Map(declared)
}

const schemaOf = (media: object | undefined) => (media as { schema: z.ZodType }).schema
