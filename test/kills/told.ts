/**
 * Lets a Worker tell of each of its calls to what lies outside of it, as soon as the call has had its effect, and wait for leave to go
 * on. So whoever is told can end the runtime at that moment, for certain.
 */

/** Whose call, in which step, of what. */
export type Tell = (tenantId: string, call: string) => Promise<void>

type Method = (...args: unknown[]) => Promise<unknown>
type Methods = Record<string, Method>

/** An object whose methods are told, for the tenant that their arguments name; null for nobody's. */
function told<T extends object>(object: T, tell: Tell, tenantOf: (args: unknown[]) => string | null): T {
  return new Proxy(object, {
    get:
      (target, method: string) =>
      async (...args: unknown[]) => {
        const answer = await (target as unknown as Methods)[method]?.(...args)
        const tenantId = tenantOf(args)
        if (tenantId !== null) await tell(tenantId, method)
        return answer
      },
  })
}

/** A ledger is named after its tenant. */
export const toldLedgers = (ledgers: ConsumersEnv['LEDGERS'], tell: Tell) => ({
  getByName(name: string) {
    const [tenantId = ''] = name.split(':')
    return told(ledgers.getByName(name), tell, () => tenantId)
  },
})

export const toldGates = (gates: ConsumersEnv['GATES'], tell: Tell, tenantId: string) => ({
  getByName: (name: string) => told(gates.getByName(name), tell, () => tenantId),
})

export const toldContent = (content: R2Bucket, tell: Tell, tenantId: string) =>
  told(content, tell, () => tenantId)

interface Created {
  readonly params: { readonly tenantId: string }
}

/** Instances as they are made. */
export const toldWorkflows = (workflows: ConsumersEnv['BATCH_WORKFLOW'], tell: Tell) => ({
  get: (id: string) => workflows.get(id),
  createBatch: told(workflows, tell, ([made]) => (made as Created[])[0]?.params.tenantId ?? null).createBatch,
})

/** The binding of Workers AI, whose stand-in lies outside of the runtime and outlives it. */
export const aiOutside = (url: string, tell: Tell, tenantId: string | null) => ({
  async run(model: string, input: object, { queueRequest }: { queueRequest?: boolean }) {
    const body = JSON.stringify({ model, input, options: { queueRequest } })
    const response = await fetch(`${url}/ai`, { method: 'POST', body })
    const { answer, error } = (await response.json()) as { answer?: unknown; error?: string }
    if (tenantId !== null) await tell(tenantId, 'run')
    if (error !== undefined) throw new Error(error)
    return answer
  },
})

export const telling =
  (url: string, step: () => string): Tell =>
  async (tenantId, call) => {
    const body = JSON.stringify({ tenantId, at: `${step()}: ${call}` })
    await (await fetch(`${url}/told`, { method: 'POST', body })).text()
  }
